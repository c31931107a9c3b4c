using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>
/// Connections that are opened, used once and closed, one after another, beside lasting ones that ask back to back. The row's waiting times are
/// those of connect, ask and answer together; the lasting clients' are beside them.
/// </summary>
internal static class ChurnLoad
{
    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan PortsPatience = TimeSpan.FromMilliseconds(100);

    public static void Run(Load load)
    {
        var options = load.Options;
        var lastingSamples = new Samples(1 << 22);
        var lastingTally = new Tally();
        using var lasting = new Fleet(options.Port, load.Questions, lastingSamples, lastingTally);
        lasting.Connect(options.Clients, 1, options.ConnectPatience);
        using var stop = new CancellationTokenSource();
        var clock = Stopwatch.StartNew();
        var thread = new Thread(() => lasting.RunBackToBack(TimeSpan.FromDays(1), 1, stop.Token)) { Name = "lasting clients" };
        thread.Start();
        var count = Churn(load);
        load.Seconds = clock.Elapsed.TotalSeconds;
        stop.Cancel();
        thread.Join();
        Describe(load.Extra, count, lasting, lastingSamples.Summary(), lastingTally.Answered / load.Seconds);
        lastingTally.Answered = 0;
        load.Tally.Add(lastingTally);
        lasting.Dispose();
        Thread.Sleep(Settling); // until the script has seen the last ones go
    }

    /// <summary>As many as asked for, unless the time is over before.</summary>
    private static int Churn(Load load)
    {
        var clock = Stopwatch.StartNew();
        var single = new Samples(1);
        var count = 0;
        while (count < load.Options.Count && clock.Elapsed < load.Options.Length)
        {
            var ports = load.Tally.OutOfPorts;
            var began = Stopwatch.GetTimestamp();
            using (var asker = Asker.Open(load.Options.Port, load.Questions, load.Tally, 256))
            {
                if (asker is not null && asker.Ask(single))
                {
                    load.Samples.Add(Stopwatch.GetTimestamp() - began);
                }
            }
            if (load.Tally.OutOfPorts > ports)
            {
                Thread.Sleep(PortsPatience);
                continue;
            }
            count++;
        }
        return count;
    }

    private static void Describe(Dictionary<string, double> extra, int count, Fleet lasting, Latency latency, double rate)
    {
        extra["connections"] = count;
        extra["lastingAlive"] = lasting.Alive;
        extra["lastingRate"] = rate;
        extra["lastingP50"] = latency.P50;
        extra["lastingP99"] = latency.P99;
        extra["lastingMax"] = latency.Max;
        extra["lastingSlowestToMean"] = lasting.SlowestToMean;
    }
}
