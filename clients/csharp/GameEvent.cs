using System.Runtime.InteropServices;

namespace MgbaBridge.Http;

/// <summary>Something that happened.</summary>
/// <param name="Name">What, such as <c>frame</c>, <c>keys</c> or <c>game.reset</c>; <c>lost</c> counts events that were dropped because they were not taken in time.</param>
/// <param name="Id">Names it, or null.</param>
/// <param name="Values">Its frame, epoch and topic, and what its topic has; of <c>lost</c> and <c>closed</c> nothing.</param>
public sealed record GameEvent(string Name, string? Id, EventAnswer Values)
{
    /// <summary>Of <c>sound</c>: the samples, left and right in turn.</summary>
    public short[] Samples => MemoryMarshal.Cast<byte, short>(Values.Bytes).ToArray();

    /// <summary>Of <c>lost</c>: how many.</summary>
    public long Lost { get; init; }
}
