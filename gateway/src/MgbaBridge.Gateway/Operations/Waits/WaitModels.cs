using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Waits;

/// <summary>What to wait for: a condition, a number of frames, or the first of both.</summary>
/// <param name="All">All of these have to hold, or null.</param>
/// <param name="Any">One of these has to hold, or null.</param>
/// <param name="Condition">The condition, or null.</param>
/// <param name="Frames">After how many frames to stop waiting; null for never.</param>
public sealed record WaitRequest(IReadOnlyList<MemoryTest>? All, IReadOnlyList<MemoryTest>? Any, Condition? Condition, long? Frames)
{
    // a game may run slower than it should; one that does not run at all is noticed otherwise
    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan MaxLength = TimeSpan.FromHours(1);

    /// <summary>How long the answer may take.</summary>
    internal TimeSpan MaxWait => Frames is { } frames ? MaxWaitOf(frames) : MaxLength;

    /// <summary>How long the answer to a request may take that takes so many frames.</summary>
    internal static TimeSpan MaxWaitOf(long frames) => AtLeast + (PerFrame * Math.Clamp(frames, 0, Limits.Frames));

    /// <summary>The command where no place is a name. Returns what is wrong, or null.</summary>
    internal string? Command(out Wait command)
    {
        IReadOnlyList<IReadOnlyList<MemoryTest>>? tests = Condition is not null ? Condition.InMemory()
            : All is not null ? [All] : [.. (Any ?? []).Select(test => new[] { test })];
        command = new Wait(tests ?? [], Frames);
        return tests is null ? $"Here a place is a location with a type, and is compared with a number. {Client.Commands.Condition.ExpectedFormat}" : null;
    }
}

/// <summary>How a wait ended.</summary>
/// <param name="Frame">The frame in which it ended.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Met">Whether the condition holds; false when the frames ran out first.</param>
/// <param name="Values">Every number that was read, in the order of the conditions.</param>
public readonly record struct WaitAnswer(
    long Frame, Epoch Epoch, bool Met, IReadOnlyList<long> Values)
{
    /// <summary>The answer made from a reply.</summary>
    internal static WaitAnswer Of(Reply reply)
    {
        var (met, values) = Wait.Parse(reply);
        return new WaitAnswer(reply.Frame, reply.Epoch, met, values);
    }
}
