using System.Diagnostics;
using System.Globalization;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>`beside`: small reads alone, and while another client downloads save states back to back.</summary>
internal static class BesideCommand
{
    private const double Frame = 1_000 / 59.7275;

    public static int Run(string[] args)
    {
        var given = new Arguments(args);
        var (http, seconds) = (given.Integer("http-port", 5000), TimeSpan.FromSeconds(given.Integer("seconds", 10)));
        given.MustBeEmpty();
        Console.WriteLine("| small reads | reads/s | p50 ms | p99 ms | max ms | states/s | KB a state |");
        Console.WriteLine("|---|---:|---:|---:|---:|---:|---:|");
        Measure("alone", http, seconds, states: false);
        var loaded = Measure("during downloads", http, seconds, states: true);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"\nsmall reads during downloads: p99 {loaded.P99:0.00} ms (goal: under a frame, {Frame:0.0} ms)"));
        return 0;
    }

    private static Latency Measure(string name, int http, TimeSpan seconds, bool states)
    {
        using var stop = new CancellationTokenSource();
        var (count, bytes) = (0, 0L);
        var loading = Task.Factory.StartNew(() => Download(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        var samples = new Samples(2_000_000);
        using (var client = new RawHttpClient(http, RawHttpClient.SmallRead))
        {
            for (var since = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(since) < seconds;)
            {
                var began = Stopwatch.GetTimestamp();
                client.Send();
                samples.Add(Stopwatch.GetTimestamp() - began);
            }
        }

        stop.Cancel();
        loading.GetAwaiter().GetResult();
        var summary = samples.Summary();
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {name} | {samples.Count / seconds.TotalSeconds:0} | {summary.P50:0.000} | {summary.P99:0.00} | {summary.Max:0.0} | {count / seconds.TotalSeconds:0} | {(count == 0 ? 0 : bytes / count / 1_000)} |"));
        return summary;

        void Download()
        {
            using var client = states ? new RawHttpClient(http, RawHttpClient.State) : null;
            while (client is not null && !stop.IsCancellationRequested)
            {
                bytes += client.Send();
                count++;
            }
        }
    }
}
