using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>
/// Opens a connection, sends one request and closes, repeatedly, while persistent clients send requests back to back. The latencies of the row include
/// connect, request and answer; those of the persistent clients are reported separately.
/// </summary>
internal static class ChurnLoad
{
    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan PortRetryDelay = TimeSpan.FromMilliseconds(100);

    public static void Run(Load load)
    {
        var options = load.Options;
        var persistentSamples = new Samples(1 << 22);
        var persistentTally = new Tally();
        using var persistent = new Fleet(options.Port, load.Requests, persistentSamples, persistentTally);
        persistent.Connect(options.Clients, 1, options.ConnectTimeout);
        using var stop = new CancellationTokenSource();
        var clock = Stopwatch.StartNew();
        var thread = new Thread(() => persistent.RunBackToBack(TimeSpan.FromDays(1), 1, stop.Token)) { Name = "persistent clients" };
        thread.Start();
        var count = Churn(load);
        load.Seconds = clock.Elapsed.TotalSeconds;
        stop.Cancel();
        thread.Join();
        Describe(load.Extra, count, persistent, persistentSamples.Summary(), persistentTally.Answered / load.Seconds);
        persistentTally.Answered = 0;
        load.Tally.Add(persistentTally);
        persistent.Dispose();
        Thread.Sleep(Settling); // until the script has noticed the last close
    }

    /// <summary>Runs until the count or the time limit is reached.</summary>
    private static int Churn(Load load)
    {
        var clock = Stopwatch.StartNew();
        var single = new Samples(1);
        var count = 0;
        while (count < load.Options.Count && clock.Elapsed < load.Options.Length)
        {
            var ports = load.Tally.OutOfPorts;
            var began = Stopwatch.GetTimestamp();
            using (var client = WireClient.Open(load.Options.Port, load.Requests, load.Tally, 256))
            {
                if (client is not null && client.Send(single))
                {
                    load.Samples.Add(Stopwatch.GetTimestamp() - began);
                }
            }
            if (load.Tally.OutOfPorts > ports)
            {
                Thread.Sleep(PortRetryDelay);
                continue;
            }
            count++;
        }
        return count;
    }

    private static void Describe(Dictionary<string, double> extra, int count, Fleet persistent, Latency latency, double rate)
    {
        extra["connections"] = count;
        extra["persistentAlive"] = persistent.Alive;
        extra["persistentRate"] = rate;
        extra["persistentP50"] = latency.P50;
        extra["persistentP99"] = latency.P99;
        extra["persistentMax"] = latency.Max;
        extra["persistentSlowestToMean"] = persistent.SlowestToMean;
    }
}
