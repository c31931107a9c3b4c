using System.Diagnostics;
using System.Globalization;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>Minutes of steady small reads, and whether the gateway's heap stays as large as it was.</summary>
internal static class SoakCommand
{
    private const int Callers = 8;
    private const double MostGrowth = 2_000_000;
    private const string Heap = "dotnet_gc_last_collection_heap_size_bytes{";

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(10);

    public static async Task<int> RunAsync(string[] args)
    {
        var given = new Arguments(args);
        var (http, minutes) = (given.Whole("http-port", 5000), TimeSpan.FromMinutes(given.Whole("minutes", 10)));
        given.MustBeEmpty();
        using var enough = new CancellationTokenSource();
        var asked = new long[Callers];
        var callers = Enumerable.Range(0, Callers).Select(caller => Task.Factory.StartNew(
            () => Ask(http, ref asked[caller], enough.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)).ToArray();
        var heaps = await WatchAsync(http, minutes, asked);
        await enough.CancelAsync();
        await Task.WhenAll(callers);

        // the first fifth fills pools and compiles; after it nothing may grow
        var fifth = Math.Max(1, heaps.Count / 5);
        var (early, late) = (Median(heaps.Skip(fifth).Take(fifth)), Median(heaps.TakeLast(fifth)));
        var flat = late - early <= MostGrowth;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"\n{asked.Sum()} requests in {minutes.TotalMinutes:0} min; heap after a collection {early / 1e6:0.00} MB early, {late / 1e6:0.00} MB late: {(flat ? "flat" : "GROWS")}"));
        return flat ? 0 : 1;
    }

    private static void Ask(int http, ref long asked, CancellationToken enough)
    {
        using var asker = new HttpAsker(http, HttpAsker.SmallRead);
        while (!enough.IsCancellationRequested)
        {
            asker.Ask();
            asked++;
            Thread.Sleep(Pause);
        }
    }

    private static async Task<List<double>> WatchAsync(int http, TimeSpan minutes, long[] asked)
    {
        using var client = new HttpClient();
        var metrics = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{http}/metrics"));
        var heaps = new List<double>();
        Console.WriteLine("| seconds | requests | heap MB |\n|---:|---:|---:|");
        for (var since = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(since) < minutes;)
        {
            await Task.Delay(Every);
            var page = await client.GetStringAsync(metrics);
            var heap = page.Split('\n').Where(line => line.StartsWith(Heap, StringComparison.Ordinal))
                .Sum(line => double.Parse(line[(line.LastIndexOf(' ') + 1)..], CultureInfo.InvariantCulture));
            // nothing is told before the first collection
            if (heap > 0)
            {
                heaps.Add(heap);
            }

            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {Stopwatch.GetElapsedTime(since).TotalSeconds:0} | {asked.Sum()} | {heap / 1e6:0.00} |"));
        }

        return heaps.Count > 0 ? heaps : throw new WireException("/metrics does not tell the heap's size; no collection came, so take more minutes");
    }

    private static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return sorted[sorted.Length / 2];
    }
}
