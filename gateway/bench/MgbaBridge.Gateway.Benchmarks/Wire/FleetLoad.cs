using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Many persistent clients.</summary>
internal static class FleetLoad
{
    private static readonly TimeSpan PacedPeriod = TimeSpan.FromSeconds(1);

    public static void BackToBack(Load load) => Run(load, (fleet, length) => fleet.RunBackToBack(length, load.Options.Depth));

    public static void Paced(Load load) => Run(load, (fleet, length) => fleet.RunPaced(length, PacedPeriod));

    private static void Run(Load load, Action<Fleet, TimeSpan> run)
    {
        using var fleet = new Fleet(load.Options.Port, load.Requests, load.Samples, load.Tally);
        var clock = Stopwatch.StartNew();
        fleet.Connect(load.Options.Clients, load.Options.Depth, load.Options.ConnectTimeout);
        load.Extra["connectSeconds"] = clock.Elapsed.TotalSeconds;
        load.Extra["connected"] = fleet.Alive;
        run(fleet, load.Options.WarmUp);
        fleet.ResetCounts();
        run(fleet, load.Options.Length);
        load.Seconds = load.Options.Length.TotalSeconds;
        load.Extra["alive"] = fleet.Alive;
        load.Extra["slowestToMean"] = fleet.SlowestToMean;
    }
}
