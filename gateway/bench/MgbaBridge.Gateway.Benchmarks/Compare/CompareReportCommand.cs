using System.Globalization;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Benchmarks.Pictures;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Compare;

/// <summary>`compare-report`: the ladders of several designs as one table and one picture.</summary>
internal static class CompareReportCommand
{
    public static int Run(string[] arguments)
    {
        var options = new Arguments(arguments);
        var folder = options.Text("folder");
        var designs = options.Text("designs").Split('|').Select(pair => pair.Split('=', 2)).ToList();
        options.MustBeEmpty();

        var reports = designs.Select(pair => (Name: pair[1], Path: Path.Combine(folder, pair[0], "ladder-36.json")))
            .Where(design => File.Exists(design.Path))
            .Select(design => (design.Name, Report: JsonSerializer.Deserialize<LadderReport>(File.ReadAllText(design.Path), WireCommand.Json)!)).ToList();
        if (reports.Count == 0)
        {
            throw new WireException($"{folder} holds no ladders");
        }
        File.WriteAllText(Path.Combine(folder, "compare.md"), Markdown(reports));
        Draw(folder, "compare-success.svg", "What each idea bought: right answers", "%", reports, row => 100 * row.GoodPart, isLog: false);
        Draw(folder, "compare-latency.svg", "What each idea bought: p99", "ms", reports, row => row.P99, isLog: true);
        return 0;
    }

    private static void Draw(string folder, string file, string title, string unit, List<(string Name, LadderReport Report)> reports, Func<LadderRow, double?> value, bool isLog)
    {
        var series = reports.Select(one => new Series(one.Name, [.. one.Report.Rows.Where(row => value(row) is not null).Select(row => ((double)row.Asked, value(row)!.Value))])).ToList();
        File.WriteAllText(Path.Combine(folder, file), new LineChart(title, reports[0].Report.Title, "requests a second asked", unit, series) { IsLogUp = isLog }.Write());
    }

    private static string Markdown(List<(string Name, LadderReport Report)> reports)
    {
        var text = new StringBuilder("# What each idea bought\n\n");
        text.Append(CultureInfo.InvariantCulture, $"{reports[0].Report.When[..16].Replace('T', ' ')} UTC. {reports[0].Report.Machine} {reports[0].Report.Title}.\n\n");
        text.Append("| design | p50 at 20 a second | all answered up to | p99 there | most right answers a second | success at 20 | at 100 | at 400 | fps at its last step |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        foreach (var (name, report) in reports)
        {
            var best = report.Rows.TakeWhile(row => row.IsWhole).LastOrDefault();
            text.Append(CultureInfo.InvariantCulture, $"| {name} | {Ms(report.Rows.FirstOrDefault(row => row.Asked == 20)?.P50)} | {(best is null ? "nothing" : $"{best.Asked}/s")} | {Ms(best?.P99)} | {report.Rows.Max(row => row.Good):0.#} ");
            text.Append(CultureInfo.InvariantCulture, $"| {At(report, 20)} | {At(report, 100)} | {At(report, 400)} | {(report.Rows[^1].Fps is { } fps ? Rows.Number(fps, "0.00") : "-")} |\n");
        }
        text.Append("\nSuccess is right answers as a part of what was to be asked; `-`: the run had ended, because less than 95 % of a step before was done in its time.\n");
        text.Append("\n![right answers](compare-success.svg)\n![p99](compare-latency.svg)\n");
        return text.ToString();
    }

    private static string Ms(double? value) => value is { } known ? $"{Rows.Number(known, "0.00")} ms" : "-";

    // Cut, not rounded: 100 % means all.
    private static string At(LadderReport report, int rate) =>
        report.Rows.FirstOrDefault(row => row.Asked == rate) is { } row ? $"{Rows.Number(Math.Floor(1000 * row.GoodPart) / 10, "0.#")} %" : "-";
}
