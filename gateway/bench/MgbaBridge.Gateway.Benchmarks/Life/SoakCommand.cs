using System.Diagnostics;
using System.Globalization;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>`soak`: steady small reads for minutes; fails when the gateway's heap grows.</summary>
internal static class SoakCommand
{
    private const int Clients = 8;
    private const double MaxGrowth = 2_000_000;
    private const string Heap = "dotnet_gc_last_collection_heap_size_bytes{";

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    public static async Task<int> RunAsync(string[] args)
    {
        var given = new Arguments(args);
        var (http, minutes) = (given.Integer("http-port", 5000), TimeSpan.FromMinutes(given.Integer("minutes", 10)));
        given.MustBeEmpty();
        using var stop = new CancellationTokenSource();
        var sent = new long[Clients];
        var clients = Enumerable.Range(0, Clients).Select(client => Task.Factory.StartNew(
            () => Send(http, ref sent[client], stop.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)).ToArray();
        var heaps = await WatchAsync(http, minutes, sent);
        await stop.CancelAsync();
        await Task.WhenAll(clients);

        // The first fifth is warm-up: pools fill, code compiles.
        var fifth = Math.Max(1, heaps.Count / 5);
        var (early, late) = (Median(heaps.Skip(fifth).Take(fifth)), Median(heaps.TakeLast(fifth)));
        var flat = late - early <= MaxGrowth;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"\n{sent.Sum()} requests in {minutes.TotalMinutes:0} min; heap after a collection {early / 1e6:0.00} MB early, {late / 1e6:0.00} MB late: {(flat ? "flat" : "GROWS")}"));
        return flat ? 0 : 1;
    }

    private static void Send(int http, ref long sent, CancellationToken stop)
    {
        using var client = new RawHttpClient(http, RawHttpClient.SmallRead);
        while (!stop.IsCancellationRequested)
        {
            client.Send();
            sent++;
            Thread.Sleep(Pause);
        }
    }

    private static async Task<List<double>> WatchAsync(int http, TimeSpan minutes, long[] sent)
    {
        using var client = new HttpClient();
        var metrics = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{http}/metrics"));
        var heaps = new List<double>();
        Console.WriteLine("| seconds | requests | heap MB |\n|---:|---:|---:|");
        for (var since = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(since) < minutes;)
        {
            await Task.Delay(Interval);
            var page = await client.GetStringAsync(metrics);
            var heap = page.Split('\n').Where(line => line.StartsWith(Heap, StringComparison.Ordinal))
                .Sum(line => double.Parse(line[(line.LastIndexOf(' ') + 1)..], CultureInfo.InvariantCulture));
            // The metric is 0 before the first collection.
            if (heap > 0)
            {
                heaps.Add(heap);
            }

            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {Stopwatch.GetElapsedTime(since).TotalSeconds:0} | {sent.Sum()} | {heap / 1e6:0.00} |"));
        }

        return heaps.Count > 0 ? heaps : throw new MeasurementException("/metrics has no heap size because no garbage collection ran; increase --minutes");
    }

    private static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return sorted[sorted.Length / 2];
    }
}
