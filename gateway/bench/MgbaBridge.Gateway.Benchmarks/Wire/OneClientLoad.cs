using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One client: back to back, or with random pauses of up to 30 ms like a bot.</summary>
internal static class OneClientLoad
{
    private const int LongestPauseMicroseconds = 30_000;
    private const int Seed = 17;

    public static void Serial(Load load) => Run(load, static () => { });

    public static void Bot(Load load) => Run(load, Pauses());

    /// <summary>Uniform pauses from a fixed seed, the same for both scripts.</summary>
    public static Action Pauses()
    {
        var random = new Random(Seed);
        return () => _ = Libc.SleepMicroseconds((uint)random.Next(LongestPauseMicroseconds));
    }

    private static void Run(Load load, Action pause)
    {
        RunFor(load, load.Options.WarmUp, pause);
        load.Samples.Clear();
        load.Tally.Answered = 0;
        load.Seconds = RunFor(load, load.Options.Length, pause);
    }

    private static double RunFor(Load load, TimeSpan length, Action pause)
    {
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed < length)
        {
            using var client = WireClient.Open(load.Options.Port, load.Requests, load.Tally);
            while (client is not null && clock.Elapsed < length && client.Send(load.Samples))
            {
                pause();
            }
            if (clock.Elapsed < length)
            {
                Thread.Sleep(20); // the connection failed: do not retry in a tight loop
            }
        }
        return clock.Elapsed.TotalSeconds;
    }
}
