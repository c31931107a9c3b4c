using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Memory;

/// <summary>What a request does with memory.</summary>
internal enum MemoryAction
{
    /// <summary>Reads bytes.</summary>
    Read,

    /// <summary>Writes bytes.</summary>
    Write,

    /// <summary>Ends the list unless memory has these bytes.</summary>
    Guard,
}

/// <summary>A piece of memory that mGBA knows by one name, or a gap where there is none.</summary>
/// <param name="Location">Where it starts; null for a gap, which reads as zeros and ignores writes.</param>
/// <param name="Length">How many bytes it has.</param>
internal readonly record struct MemoryPart(Location? Location, int Length);

/// <summary>One of the reads, writes and guards that run in one frame.</summary>
/// <param name="Action">What it does.</param>
/// <param name="Parts">Where, in order.</param>
/// <param name="Data">What is written or expected; of a read, what was read.</param>
internal sealed record MemoryRequest(MemoryAction Action, IReadOnlyList<MemoryPart> Parts, byte[] Data);

/// <summary>The outcome of a list of requests.</summary>
/// <param name="FailedGuard">The index of the guard that did not hold, after which nothing ran; null when all held.</param>
/// <param name="Failure">Why nothing more could be done; null when all was.</param>
internal readonly record struct MemoryOutcome(int? FailedGuard, CommandFailure? Failure);
