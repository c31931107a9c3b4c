using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>How certain a function of a call stack is.</summary>
internal enum CallCertainty
{
    /// <summary>The processor is there.</summary>
    Exact,

    /// <summary>It calls the function before.</summary>
    Matched,

    /// <summary>It calls something.</summary>
    Guess,
}

/// <summary>A function of a call stack.</summary>
/// <param name="Entry">Where it continues.</param>
/// <param name="Certainty">How certain that is.</param>
internal readonly record struct CallStackFrame(CallStackEntry Entry, CallCertainty Certainty);

/// <summary>Chooses among the addresses that a stack has, by the symbols of the game.</summary>
internal static class CallStack
{
    /// <summary>The functions, the innermost first.</summary>
    /// <param name="entries">What the emulator has found, the instruction that is executed next first.</param>
    /// <param name="nameOf">The name of an address in a bank, perhaps with an offset, or null.</param>
    public static IReadOnlyList<CallStackFrame> Of(IReadOnlyList<CallStackEntry> entries, Func<long, long?, string?> nameOf)
    {
        var frames = new List<CallStackFrame>();
        var at = 0;
        while (at < entries.Count)
        {
            if (frames.Count == 0 || entries[at].From == "interrupt")
            {
                frames.Add(new CallStackFrame(entries[at], frames.Count == 0 ? CallCertainty.Exact : CallCertainty.Guess));
                at++;
                continue;
            }

            var end = EndOf(entries, at);
            var (next, certainty) = Choose(entries, at, end, frames[^1].Entry, nameOf);
            if (next < end)
            {
                frames.Add(new CallStackFrame(entries[next], certainty));
            }

            at = Math.Min(next + 1, end);
        }

        return frames;
    }

    // where an interrupt has interrupted is known to be a function
    private static int EndOf(IReadOnlyList<CallStackEntry> entries, int at)
    {
        while (at < entries.Count && entries[at].From != "interrupt")
        {
            at++;
        }

        return at;
    }

    private static (int Next, CallCertainty Certainty) Choose(IReadOnlyList<CallStackEntry> entries, int at, int end, in CallStackEntry inner, Func<long, long?, string?> nameOf)
    {
        var function = FunctionOf(inner, nameOf);
        for (var index = at; function is not null && index < end; index++)
        {
            if (entries[index].Target is { } target && nameOf(target, inner.Bank) == function)
            {
                // a function that has saved its link register has the same address on the stack
                return (IsSaved(entries, index, end) ? index + 1 : index, CallCertainty.Matched);
            }
        }

        // the link register of a function that has called others leads into this function
        var isStale = entries[at].From == "link" && (IsSaved(entries, at, end) || (function is not null && FunctionOf(entries[at], nameOf) == function));
        return (isStale ? at + 1 : at, CallCertainty.Guess);
    }

    private static bool IsSaved(IReadOnlyList<CallStackEntry> entries, int index, int end) =>
        entries[index].From == "link" && index + 1 < end && entries[index + 1].Address == entries[index].Address;

    private static string? FunctionOf(in CallStackEntry entry, Func<long, long?, string?> nameOf) => nameOf(entry.Call ?? entry.Address, entry.CallBank ?? entry.Bank)?.Split('+')[0];
}
