using System.Diagnostics;
using System.Text;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Large answers, one at a time with a bot's pauses between them.</summary>
internal static class BulkLoad
{
    private const int Buffer = 2 << 20;
    private const int RangeLength = 262_144;
    private const int MostBehind = 1 << 18;

    // The work memory of the test ROM's machine: exactly that long.
    public static void Range(Load load) => Run(load, $" memory.read 0x02000000 {RangeLength}", $"core.readRange,0x02000000,{RangeLength},", RangeLength);

    // Without the screenshot: the state as it lies in memory, 397,312 bytes, and behind it what the game has saved.
    public static void State(Load load) => Run(load, " state.save flags=30", "core.saveStateBuffer,30,,", 397_312);

    private static void Run(Load load, string version2, string legacy, int least)
    {
        var pause = OneClientLoad.Pauses();
        var first = new Samples(1 << 16);
        using var asker = Asker.Open(load.Options.Port, load.Questions, load.Tally, Buffer) ?? throw new WireException("the script takes no connection");
        var clock = Stopwatch.StartNew();
        for (var id = 1; clock.Elapsed < load.Options.WarmUp + load.Options.Length; id++)
        {
            var text = load.Options.Dialect == Dialect.Version2 ? $"#{id}{version2}<|END|>" : legacy + "<|END|>";
            var request = Encoding.ASCII.GetBytes(text);
            var began = Stopwatch.GetTimestamp();
            if (!asker.Exchange(request, out var reply))
            {
                break;
            }
            if (clock.Elapsed >= load.Options.WarmUp)
            {
                load.Samples.Add(Stopwatch.GetTimestamp() - began);
                first.Add(asker.FirstBytesAt - began);
            }
            Check(load, reply, asker.Received.Length, id, least);
            pause();
        }
        load.Seconds = load.Options.Length.TotalSeconds;
        load.Extra["bytes"] = asker.Received.Length;
        load.Extra["firstByteP50"] = first.Summary().P50;
    }

    /// <summary>In the legacy dialect a byte is two digits and a comma.</summary>
    private static void Check(Load load, Reply reply, int length, long id, int least)
    {
        var isRight = load.Options.Dialect == Dialect.Version2
            ? reply.Id == id && reply.TailLength >= least && reply.TailLength <= least + MostBehind
            : length >= least * 3;
        load.Tally.Wrong += isRight ? 0 : 1;
        if (load.Options.Dialect == Dialect.Legacy && isRight)
        {
            load.Tally.Errors--; // counted because such an answer is no number
        }
    }
}
