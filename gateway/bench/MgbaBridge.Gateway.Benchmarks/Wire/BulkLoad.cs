using System.Diagnostics;
using System.Text;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Large answers, one at a time, with the pauses of a bot between them.</summary>
internal static class BulkLoad
{
    private const int Buffer = 2 << 20;
    private const int RangeLength = 262_144;
    private const int MaxSaveData = 1 << 18;

    // All of the console's work memory (EWRAM).
    public static void Range(Load load) => Run(load, $" memory.read 0x02000000 {RangeLength}", $"core.readRange,0x02000000,{RangeLength},", RangeLength);

    // flags=30 omits the screenshot: 397,312 bytes of state, followed by the save data of the game.
    public static void State(Load load) => Run(load, " state.get flags=30", "core.saveStateBuffer,30,,", 397_312);

    private static void Run(Load load, string version2, string legacy, int minLength)
    {
        var pause = OneClientLoad.Pauses();
        var first = new Samples(1 << 16);
        using var client = WireClient.Open(load.Options.Port, load.Requests, load.Tally, Buffer) ?? throw new MeasurementException("the script does not accept connections");
        var clock = Stopwatch.StartNew();
        for (var id = 1; clock.Elapsed < load.Options.WarmUp + load.Options.Length; id++)
        {
            var text = load.Options.Dialect == Dialect.Version2 ? $"#{id}{version2}<|END|>" : legacy + "<|END|>";
            var request = Encoding.ASCII.GetBytes(text);
            var began = Stopwatch.GetTimestamp();
            if (!client.Exchange(request, out var reply))
            {
                break;
            }
            if (clock.Elapsed >= load.Options.WarmUp)
            {
                load.Samples.Add(Stopwatch.GetTimestamp() - began);
                first.Add(client.FirstBytesAt - began);
            }
            Check(load, reply, client.Received.Length, id, minLength);
            pause();
        }
        load.Seconds = load.Options.Length.TotalSeconds;
        load.Extra["bytes"] = client.Received.Length;
        load.Extra["firstByteP50"] = first.Summary().P50;
    }

    /// <summary>Checks the length. The legacy dialect sends a byte as two digits and a comma.</summary>
    private static void Check(Load load, Reply reply, int length, long id, int minLength)
    {
        var isRight = load.Options.Dialect == Dialect.Version2
            ? reply.Id == id && reply.TailLength >= minLength && reply.TailLength <= minLength + MaxSaveData
            : length >= minLength * 3;
        load.Tally.Wrong += isRight ? 0 : 1;
        if (load.Options.Dialect == Dialect.Legacy && isRight)
        {
            load.Tally.Errors--; // Reply counts a legacy answer that is not a number as an error
        }
    }
}
