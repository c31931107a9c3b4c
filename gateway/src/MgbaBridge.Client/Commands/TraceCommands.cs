
namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadCallStack
{
    /// <summary>The addresses, the innermost function first.</summary>
    public static IReadOnlyList<CallStackEntry> Parse(Reply reply)
    {
        var entries = new List<CallStackEntry>();
        var values = reply.Values;
        while (values.Read())
        {
            var from = values.GetText();
            var bank = values.Number(Row);
            var address = values.Number(Row);
            entries.Add(new CallStackEntry(from, bank, address, values.Optional(Row), values.Optional(Row), values.Optional(Row), values.Optional(Row)));
        }

        return entries;
    }
}

/// <summary>Where a function may return to.</summary>
/// <param name="From"><c>pc</c>, <c>link</c>, <c>stack</c> or <c>interrupt</c>.</param>
/// <param name="Bank">The bank of the address, of a Game Boy; otherwise 0.</param>
/// <param name="Address">The instruction that is executed next there.</param>
/// <param name="Call">The instruction that calls; null where none does.</param>
/// <param name="CallBank">Its bank.</param>
/// <param name="Target">What it calls; null where the instruction does not say so.</param>
/// <param name="Place">Where the address is on the stack; null where it is not.</param>
public readonly record struct CallStackEntry(string From, long Bank, long Address, long? Call, long? CallBank, long? Target, long? Place);

public readonly partial record struct ReadTrace
{
    /// <summary>The events, and where to continue.</summary>
    public static GameTrace Parse(Reply reply)
    {
        var values = reply.Values;
        var (frame, number, missed) = (values.Number(Row), values.Number(Row), values.Number(Row));
        var events = new List<TraceEvent>();
        while (values.TryReadInteger(out var at))
        {
            events.Add(new TraceEvent(
                at, values.Number(Row), values.Number(Row), values.Number(Row), values.Text(Row), values.Number(Row), values.Number(Row), values.Optional(Row), values.Number(Row), values.Number(Row),
                values.Number(Row) == 1, values.Text(Row)));
        }

        return new GameTrace(frame, number, missed, events);
    }
}

/// <summary>What a game did.</summary>
/// <param name="Frame">The frame in which to continue.</param>
/// <param name="Number">The event in it.</param>
/// <param name="Missed">How many frames at the beginning are not kept any more.</param>
/// <param name="Events">The events, in their order.</param>
public sealed record GameTrace(long Frame, long Number, long Missed, IReadOnlyList<TraceEvent> Events);

/// <summary>Something that a game did.</summary>
/// <param name="Frame">The frame in which it was.</param>
/// <param name="Number">Its number in the frame, of the events that were asked for.</param>
/// <param name="Cycle">Cycles of the machine since the frame began.</param>
/// <param name="Line">The line of the picture that was drawn.</param>
/// <param name="Kind">What it was.</param>
/// <param name="Pc">The instruction.</param>
/// <param name="Bank">Its bank.</param>
/// <param name="Address">What was called, returned to or written; null of a plain instruction.</param>
/// <param name="Size">Bytes written; 0 of other events.</param>
/// <param name="Value">What was written.</param>
/// <param name="ByDma">Whether DMA wrote it.</param>
/// <param name="Text">The instruction in assembly language; empty of writes and others.</param>
public readonly record struct TraceEvent(
    long Frame, long Number, long Cycle, long Line, string Kind, long Pc, long Bank, long? Address, long Size, long Value, bool ByDma, string Text);
