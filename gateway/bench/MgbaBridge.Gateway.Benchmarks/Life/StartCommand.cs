using System.Diagnostics;
using System.Globalization;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>From the start of a published gateway's process to its first answer from the emulator.</summary>
internal static class StartCommand
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static int Run(string[] args)
    {
        var given = new Arguments(args);
        var (folder, emulator, http, runs) = (given.Text("gateway"), given.Whole("port", 8888), given.Whole("http-port", 5199), given.Whole("runs", 5));
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
            return FirstAnswer.Within(Limit, http) ? Stopwatch.GetElapsedTime(since) : throw new WireException("the gateway gave no answer");
        }
        finally
        {
            gateway.Kill();
            gateway.WaitForExit();
        }
    }
}
