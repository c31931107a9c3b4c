using System.Text;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The report as Markdown.</summary>
internal static class Markdown
{
    // CPU use of other programs above which the machine was not idle.
    private const double MaxOtherCpu = 0.3;

    public static string Of(IReadOnlyList<string> machine, IReadOnlyList<Requirement> requirements, Rows rows)
    {
        var text = new StringBuilder("# The script on its own port\n\n");
        foreach (var line in machine)
        {
            text.Append(line).Append("  \n");
        }
        text.Append("Baseline is `loadtest/baseline.lua` in the same run. fps is counted by the emulator. Written by `scripts/bench-wire`.\n\n");
        AddRequirements(text, requirements);
        text.Append("\n## All rows\n\n");
        AddRows(text, rows);
        AddNoise(text, rows);
        return text.ToString();
    }

    private static void AddRequirements(StringBuilder text, IReadOnlyList<Requirement> requirements)
    {
        text.Append("| what | at least | baseline | ours | ratio | fps | |\n|---|---|---|---|---:|---:|---|\n");
        foreach (var row in requirements)
        {
            var met = row.IsMet switch { true => "met", false => "**not met**", null => "not measured" };
            text.Append($"| {row.What} | {row.AtLeast} | {row.Baseline} | {row.Ours} | {row.Ratio} | {row.Fps} | {met} |\n");
        }
        text.Append($"\n{requirements.Count(row => row.IsMet == true)} met, {requirements.Count(row => row.IsMet == false)} not met, {requirements.Count(row => row.IsMet is null)} not measured.\n");
    }

    private static void AddRows(StringBuilder text, Rows rows)
    {
        text.Append("Times in milliseconds. *bad*: wrong, refused, reset, unanswered or closed early. *lost*: frames in the worst 5 s compared with the emulator without clients; a window is known to one frame, or 0.3 %. ");
        text.Append("*late*: frames that began more than a quarter of a period late. *CPU*: emulator + generator + other programs, in processors.\n\n");
        text.Append("| whose | row | replies/s | p50 | p99 | p99.9 | max | slowest/mean | bad | fps | lost | late | CPU | RSS MB | descriptors |\n");
        text.Append("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|---|\n");
        foreach (var row in rows.All)
        {
            var slowest = row.Extra.TryGetValue("slowestToMean", out var part) && row.Clients > 1 ? Format.Number(part, "0.00") : "-";
            text.Append($"| {row.Label} | {row.Row} | {(row.Rate > 0 ? Format.Number(row.Rate) : "-")} | {Times(row)} | {slowest} | {row.Tally.Bad} | {Format.Number(row.Pace.Fps, "0.00")} ");
            text.Append($"| {Format.Percent(rows.WorstLoss(row))} | {row.Pace.Late} | {Format.Number(row.HostCpu, "0.00")} + {Format.Number(row.GeneratorCpu, "0.00")} + {Format.Number(row.OtherCpu, "0.00")} ");
            text.Append($"| {Format.Number(row.After.ResidentKb / 1024.0)} | {row.Before.Descriptors} → {row.After.Descriptors}{(row.HostAlive ? "" : " **dead**")} |\n");
        }
    }

    private static string Times(RowResult row)
    {
        var latency = row.Latency;
        return latency.Max == 0 ? "- | - | - | -" : string.Join(" | ", new[] { latency.P50, latency.P99, latency.P999, latency.Max }.Select(value => Format.Number(value, value < 1 ? "0.000" : "0.00")));
    }

    private static void AddNoise(StringBuilder text, Rows rows)
    {
        var noisy = rows.All.Where(row => row.OtherCpu > MaxOtherCpu).Select(row => $"{row.Label} {row.Row}").ToList();
        if (noisy.Count > 0)
        {
            text.Append($"\n**The machine was not idle**: other programs used more than {Format.Number(MaxOtherCpu, "0.0")} of a processor during {string.Join(", ", noisy)}.\n");
        }
        foreach (var row in rows.All.Where(row => row.MissedSamples > 0))
        {
            text.Append($"\n{row.Label} {row.Row}: {row.MissedSamples} samples exceeded the capacity; the percentiles are wrong.\n");
        }
    }
}
