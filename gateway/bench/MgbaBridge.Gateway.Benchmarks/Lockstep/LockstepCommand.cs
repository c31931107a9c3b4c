using System.Diagnostics;
using System.Globalization;
using System.Text;
using MgbaBridge.Gateway.Benchmarks.FrameBudget;

namespace MgbaBridge.Gateway.Benchmarks.Lockstep;

/// <summary>`lockstep-free`: frames per second of an unthrottled emulator whose script only reads once a frame. `lockstep`: steps with one read per second.</summary>
internal static class LockstepCommand
{
    public const string FrameCount = "0x02000008"; // the frame counter of the test game

    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(1);

    public static int RunFree(string[] arguments)
    {
        var options = new Arguments(arguments);
        var files = new EmulatorFiles(options.Text("host"), options.Text("rom"), options.Text("script"), options.Text("saves"));
        var seconds = options.Integer("seconds", 5);
        options.MustBeEmpty();
        using var host = files.Start(0, withScript: true);
        Thread.Sleep(WarmUp);
        var before = host.Stats();
        Thread.Sleep(TimeSpan.FromSeconds(seconds));
        var all = host.Stats() - before;
        Console.WriteLine(((long)(all.Frames / all.Seconds)).ToString(CultureInfo.InvariantCulture));
        return 0;
    }

    public static async Task<int> RunAsync(string[] arguments)
    {
        var options = new Arguments(arguments);
        var gateway = new Uri(options.Text("gateway").TrimEnd('/') + "/");
        var port = options.Integer("port", 8888);
        var free = options.Integer("free", 0);
        var length = TimeSpan.FromSeconds(options.Integer("seconds", 5));
        var note = options.Text("note", "");
        var path = options.Text("out");
        options.MustBeEmpty();

        var text = new StringBuilder("# Lockstep\n\n");
        text.Append(CultureInfo.InvariantCulture, $"{DateTime.UtcNow:yyyy-MM-dd HH:mm} UTC. {note} The unthrottled emulator with one read per frame callback runs {free:N0} frames a second.\n\n");
        text.Append("| one read a step | client | steps/s | of the free run | goal | p50 ms | p99 ms | max ms | wrong |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
        var steppers = new (IStepper, string)[]
        {
            (new WireStepper(port, WaitMode.Spin), "70 %"),
            (new WireStepper(port, WaitMode.Block), "70 %"),
            (new WebSocketStepper(gateway, WaitMode.Spin), "50 %"),
            (new WebSocketStepper(gateway, WaitMode.Block), "50 %"),
            (new HttpStepper(gateway), "1,000/s"),
        };
        foreach (var (stepper, goal) in steppers)
        {
            await using (stepper)
            {
                await stepper.TakeAsync();
                await MeasureAsync(stepper, WarmUp);
                var (samples, wrong, seconds) = await MeasureAsync(stepper, length);
                var rate = samples.Count / seconds;
                var latency = samples.Summary();
                text.Append(CultureInfo.InvariantCulture, $"| {stepper.Name} | {(stepper.WaitMode == WaitMode.Spin ? "spins" : "blocks")} | {rate:N0} | {100 * rate / Math.Max(1, free):0} % | {goal} | {latency.P50:0.000} | {latency.P99:0.000} | {latency.Max:0.00} | {wrong} |\n");
            }
        }
        File.WriteAllText(path, text.ToString());
        return 0;
    }

    /// <summary>A step counts as wrong unless the game ran exactly one frame.</summary>
    private static async Task<(Samples Samples, long Wrong, double Seconds)> MeasureAsync(IStepper stepper, TimeSpan length)
    {
        var samples = new Samples((int)(length.TotalSeconds * 50_000));
        var wrong = 0L;
        var last = await stepper.StepAsync();
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed < length)
        {
            var began = Stopwatch.GetTimestamp();
            var now = await stepper.StepAsync();
            samples.Add(Stopwatch.GetTimestamp() - began);
            wrong += now == last + 1 ? 0 : 1;
            last = now;
        }
        return (samples, wrong, clock.Elapsed.TotalSeconds);
    }
}
