using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Benchmark;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>bench</c>: measures this machine: the gateway beside the baseline script.</summary>
internal static class BenchVerb
{
    private const double Default = 10;

    private static readonly string[] Columns = ["", "baseline", "mGBA-bridge", "ratio"];

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("bench", "Measure this machine: the gateway beside a minimal script", command =>
    {
        command.Description = "Measure this machine in ten seconds: an emulator with a minimal socket script (the baseline), then one with the gateway, each with one client and with "
            + $"{MachineBenchmark.Many} connections that send a request as soon as the last one is answered. Needs mgba-headless.";
        var seconds = new Option<double?>("--seconds") { HelpName = "NUMBER", Description = $"How long to measure in all, 1 to 600; default {Default}" };
        command.Add(seconds);
        Display.AddOptionsTo(command);
        command.SetAction(async (result, cancelled) =>
        {
            var length = result.GetValue(seconds) ?? Default;
            if (length is < 1 or > 600 or double.NaN)
            {
                throw VerbException.WrongUsage(string.Create(CultureInfo.InvariantCulture, $"--seconds is {length}; expected 1 to 600."));
            }

            var rows = await RunAsync(TimeSpan.FromSeconds(length), cancelled);
            Show(new Display(result), rows);
        });
    });

    private static async Task<IReadOnlyList<BenchmarkRow>> RunAsync(TimeSpan length, CancellationToken cancelled)
    {
        try
        {
            await using var benchmark = MachineBenchmark.Create();
            return await benchmark.RunAsync(length, cancelled);
        }
        catch (BenchmarkException exception)
        {
            throw new VerbException(ExitCodes.Refused, exception.Message);
        }
    }

    private static void Show(Display display, IReadOnlyList<BenchmarkRow> rows)
    {
        if (display.IsJson)
        {
            display.Line(new JsonObject
            {
                ["processors"] = Environment.ProcessorCount,
                ["rows"] = new JsonArray([.. rows.Select(row => new JsonObject
                {
                    ["connections"] = row.Connections,
                    ["baseline"] = Json(row.Baseline),
                    ["gateway"] = Json(row.Gateway),
                    ["ratio"] = new JsonObject
                    {
                        ["requestsPerSecond"] = Round(row.Gateway.Rate / row.Baseline.Rate),
                        ["p50"] = Round(row.Baseline.P50 / row.Gateway.P50),
                        ["p99"] = Round(row.Baseline.P99 / row.Gateway.P99),
                    },
                })]),
            }.ToJsonString());
            return;
        }

        display.Table(Columns, [.. rows.SelectMany(Lines)]);
        display.Line($"Measured on {Environment.ProcessorCount} processors, which the load, the gateway and the emulator share. A ratio above 1 is in favor of mGBA-bridge.");
    }

    private static IEnumerable<string[]> Lines(BenchmarkRow row)
    {
        var load = row.Connections == 1 ? "one client" : string.Create(CultureInfo.InvariantCulture, $"{row.Connections} connections");
        var (baseline, gateway) = (row.Baseline, row.Gateway);
        yield return [$"{load}: requests a second", Text(baseline.Rate, "0"), Text(gateway.Rate, "0"), Text(gateway.Rate / baseline.Rate, "0.0")];
        yield return [$"{load}: p50 in ms", Text(baseline.P50, "0.000"), Text(gateway.P50, "0.000"), Text(baseline.P50 / gateway.P50, "0.0")];
        yield return [$"{load}: p99 in ms", Text(baseline.P99, "0.000"), Text(gateway.P99, "0.000"), Text(baseline.P99 / gateway.P99, "0.0")];
        yield return [$"{load}: frames a second", Text(baseline.Frames, "0.0"), Text(gateway.Frames, "0.0"), Text(gateway.Frames / baseline.Frames, "0.00")];
    }

    private static JsonObject Json(BenchmarkResult result) => new()
    {
        ["requestsPerSecond"] = Round(result.Rate),
        ["p50Ms"] = Round(result.P50),
        ["p99Ms"] = Round(result.P99),
        ["framesPerSecond"] = Round(result.Frames),
    };

    private static double Round(double value) => Math.Round(value, 3);

    private static string Text(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);
}
