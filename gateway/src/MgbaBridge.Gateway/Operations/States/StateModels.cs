using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.States;

/// <summary>A state of the whole machine.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">Its bytes, in base64.</param>
public readonly record struct StateAnswer(long Frame, Epoch Epoch, ReadOnlyMemory<byte> Bytes)
{
    internal static StateAnswer Of(SaveState command, Reply reply) => new(reply.Frame, reply.Epoch, reply.Tail);
}

/// <summary>A state to load.</summary>
/// <param name="Load">Its bytes, and what is taken of them.</param>
/// <param name="Kept">Where it is kept, instead; null for bytes.</param>
/// <param name="AnyRom">Whether the bytes may be of another ROM of the console.</param>
public readonly record struct LoadStateRequest(LoadState Load, KeptState? Kept, bool AnyRom);

/// <summary>Where a state is kept on the machine that mGBA runs on.</summary>
/// <param name="Slot">A slot beside the game, or null.</param>
/// <param name="File">A file, or null.</param>
/// <param name="Flags">What goes in or is taken; null for the script's default.</param>
public sealed record KeptState(long? Slot, string? File, StateFlags? Flags);
