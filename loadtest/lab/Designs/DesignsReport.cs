using System.Text.Json;

namespace MgbaBridge.Lab.Designs;

/// <summary>`designs`: the runs of loadtest/ladder.js and loadtest/restart.js over each design, as one table and one chart.</summary>
internal static class DesignsReport
{
    private static readonly (string Name, string Text, string File)[] Designs =
    [
        ("shared", "one shared socket", "SharedSocket.cs"),
        ("fresh", "a socket for each request", "SocketForEachRequest.cs"),
        ("pool", "a pool (ObjectPool)", "PooledSockets.cs"),
        ("retry", "a pool that retries and recreates (Polly)", "RetriedSockets.cs"),
        ("gateway", "the gateway", "gateway/src/MgbaBridge.Client/Transport"),
    ];

    public static int Run(string runs, string folder, string machine)
    {
        var found = Designs.Select(design => (Design: design, Ladder: Read(runs, $"ladder-{design.Name}"), Restart: Read(runs, $"restart-{design.Name}")))
            .Where(one => one.Ladder is not null).ToList();
        if (found.Count == 0)
        {
            throw new MeasurementException($"{runs} has no ladder-NAME.json; scripts/load designs writes them");
        }

        var report = new Report("Designs of a gateway", machine);
        report.Line("Each design answers `GET /mgbaendpoint?message=` with the same script in an emulator of its own; the game runs at its own speed.");
        report.Table(
            found[0].Ladder!.Title,
            "All answered: the highest rate of which every request was sent and answered correctly. Frames: the part of those without load, at that rate.",
            ["design", "all answered up to", "p50 ms", "p99 ms", "frames", "most correct answers/s", "first step that fails", "sockets opened"],
            found.Select(one => LadderRow(one.Design.Text, one.Ladder!)));
        var rates = found[0].Ladder!.Rows.Select(static row => row.Scheduled).ToList();
        report.Table(
            "Median time to answer",
            "Milliseconds (p50), by requests a second.",
            ["design", .. rates.Select(static rate => $"{Format.Number(rate)}/s")],
            found.Select(one => (string[])[one.Design.Text, .. rates.Select(rate => Format.Number(one.Ladder!.Rows.FirstOrDefault(row => row.Scheduled == rate)?.P50, "0.00"))]));
        report.Table(
            "While the emulator is killed and started again",
            $"{found[0].Restart?.Title}. Unanswered: requests without a correct answer, of those sent. Recovered: whether it answers within 5 s after the run.",
            ["design", "requests", "unanswered", "recovered", "p50 ms", "p99 ms", "sockets opened"],
            found.Where(one => one.Restart is not null).Select(one => RestartRow(one.Design.Text, one.Restart!)));
        var chart = new Chart("Time to answer, median of each design", "requests a second", "ms");
        foreach (var (design, ladder, _) in found)
        {
            foreach (var row in ladder!.Rows.Where(row => row.P50 > 0))
            {
                chart.Add(design.Name, row.Scheduled, row.P50!.Value);
            }
        }

        chart.Write(Path.Combine(folder, "designs.svg"));
        report.Line("![Median time to answer of each design, by requests a second](designs.svg)");
        report.Line(string.Join("; ", Designs.Select(design => $"{design.Text}: `{design.File}`")) + "; in `loadtest/lab/Designs`, but for the gateway.");
        report.Write(Path.Combine(folder, "designs.md"));
        return 0;
    }

    private static string[] LadderRow(string design, LadderRun run)
    {
        var best = run.Rows.TakeWhile(row => row.IsComplete).LastOrDefault();
        var failing = run.Rows.FirstOrDefault(row => !row.IsComplete);
        return
        [
            design, best is null ? "no step" : $"{Format.Number(best.Scheduled)}/s", Format.Number(best?.P50, "0.00"), Format.Number(best?.P99, "0.00"), Format.Percent(best?.Fps / run.IdleFps),
            Format.Number(run.Rows.Max(row => row.Rate * row.Success)), failing is null ? "none" : $"{Format.Number(failing.Scheduled)}/s: {Format.Percent(failing.Success)} correct, {failing.Dropped} not sent", Format.Number(run.SocketsOpened),
        ];
    }

    private static string[] RestartRow(string design, LadderRun run)
    {
        var row = run.Rows[0];
        return
        [
            design, Format.Number(row.Requests), Format.Number(Math.Round(row.Requests * (1 - row.Success))), run.AnswersAgain ? "yes" : "no",
            Format.Number(row.P50, "0.00"), Format.Number(row.P99, "0.00"), Format.Number(run.SocketsOpened),
        ];
    }

    private static LadderRun? Read(string runs, string name)
    {
        var file = Path.Combine(runs, $"{name}.json");
        return File.Exists(file) ? JsonSerializer.Deserialize<LadderRun>(File.ReadAllText(file), Format.Json) : null;
    }
}

/// <summary>The figures that a k6 test wrote. `SocketsOpened` and `AnswersAgain` are added by scripts/load.</summary>
internal sealed record LadderRun(string Title, double? IdleFps, double? SocketsOpened, bool AnswersAgain, IReadOnlyList<LadderRow> Rows);

/// <summary>One step; times in milliseconds.</summary>
internal sealed record LadderRow(int Scheduled, double Seconds, long Requests, double Rate, double? P50, double? P99, double Success, long Dropped, double? Fps)
{
    /// <summary>Whether all scheduled requests were sent and answered. The last answers of a step may come in the pause after it.</summary>
    public bool IsComplete => Success == 1 && Dropped == 0 && Requests >= 0.98 * Scheduled * Seconds;
}
