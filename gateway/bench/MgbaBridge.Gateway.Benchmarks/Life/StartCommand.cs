using System.Diagnostics;
using System.Globalization;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>`start`: the time from the start of a published gateway to its first answer from the emulator.</summary>
internal static class StartCommand
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static int Run(string[] args)
    {
        var given = new Arguments(args);
        var (folder, emulator, http, runs) = (given.Text("gateway"), given.Integer("port", 8888), given.Integer("http-port", 5199), given.Integer("runs", 5));
        given.MustBeEmpty();
        var times = Enumerable.Range(0, runs).Select(_ => Start(folder, emulator, http)).Order().ToArray();
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"gateway start to first answered request: median {times[runs / 2].TotalMilliseconds:0} ms, slowest {times[^1].TotalMilliseconds:0} ms of {runs} (goal: under 1000 ms)"));
        return 0;
    }

    private static TimeSpan Start(string folder, int emulator, int http)
    {
        var since = Stopwatch.GetTimestamp();
        using var gateway = Process.Start(new ProcessStartInfo("dotnet",
        [
            Path.Combine(folder, "mgba-bridge.dll"), $"--contentRoot={Path.GetFullPath(folder)}", "--Logging:LogLevel:Default=None", "--Logging:LogLevel:Microsoft.Hosting.Lifetime=None",
            string.Create(CultureInfo.InvariantCulture, $"--http-port={http}"), string.Create(CultureInfo.InvariantCulture, $"--emulator-port={emulator}"),
        ]))!;
        try
        {
            return GatewayProbe.Within(Limit, http) ? Stopwatch.GetElapsedTime(since) : throw new MeasurementException("the gateway did not answer");
        }
        finally
        {
            gateway.Kill();
            gateway.WaitForExit();
        }
    }
}
