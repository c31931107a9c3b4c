using System.Globalization;
using System.Text;
using System.Text.Json;

namespace MgbaBridge.Gateway.Benchmarks.Designs;

/// <summary>`compare-report`: the ladders of several designs as one table and two charts.</summary>
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
            .Select(design => (design.Name, Report: JsonSerializer.Deserialize<LadderReport>(File.ReadAllText(design.Path), Format.Json)!)).ToList();
        if (reports.Count == 0)
        {
            throw new MeasurementException($"{folder} contains no ladder-36.json");
        }
        File.WriteAllText(Path.Combine(folder, "compare.md"), Markdown(reports));
        Charts.Write(
            folder,
            "compare",
            Chart("compare-success.svg", "Gain of each design: correct answers", "%", reports, row => 100 * row.CorrectPart, log: false),
            Chart("compare-latency.svg", "Gain of each design: p99", "ms", reports, row => row.P99, log: true));
        return 0;
    }

    private static LineChart Chart(string file, string title, string unit, List<(string Name, LadderReport Report)> reports, Func<LadderRow, double?> value, bool log)
    {
        var series = reports.Select(one => new Series(one.Name, [.. one.Report.Rows.Where(row => value(row) is not null).Select(row => new[] { row.Scheduled, value(row)!.Value })])).ToList();
        return new LineChart(file, title, reports[0].Report.Title, "scheduled requests a second", unit, log, series);
    }

    private static string Markdown(List<(string Name, LadderReport Report)> reports)
    {
        var text = new StringBuilder("# Gain of each design\n\n");
        text.Append(CultureInfo.InvariantCulture, $"{reports[0].Report.When[..16].Replace('T', ' ')} UTC. {reports[0].Report.Machine} {reports[0].Report.Title}.\n\n");
        text.Append("| design | p50 at 20 a second | all answered up to | p99 at that rate | most correct answers a second | success at 20 | at 100 | at 400 | fps at its last step |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        foreach (var (name, report) in reports)
        {
            var best = report.Rows.TakeWhile(row => row.IsComplete).LastOrDefault();
            text.Append(CultureInfo.InvariantCulture, $"| {name} | {Ms(report.Rows.FirstOrDefault(row => row.Scheduled == 20)?.P50)} | {(best is null ? "no step" : $"{best.Scheduled}/s")} | {Ms(best?.P99)} | {report.Rows.Max(row => row.Correct):0.#} ");
            text.Append(CultureInfo.InvariantCulture, $"| {At(report, 20)} | {At(report, 100)} | {At(report, 400)} | {(report.Rows[^1].Fps is { } fps ? Format.Number(fps, "0.00") : "-")} |\n");
        }
        text.Append("\nSuccess: correct answers as a fraction of the scheduled requests. `-`: the run ended earlier because less than 95 % of a step were answered in time.\n");
        text.Append("\n![correct answers](compare-success.svg)\n![p99](compare-latency.svg)\n");
        return text.ToString();
    }

    private static string Ms(double? value) => value is { } known ? $"{Format.Number(known, "0.00")} ms" : "-";

    // Rounded down: 100 % means all.
    private static string At(LadderReport report, int rate) =>
        report.Rows.FirstOrDefault(row => row.Scheduled == rate) is { } row ? $"{Format.Number(Math.Floor(1000 * row.CorrectPart) / 10, "0.#")} %" : "-";
}
