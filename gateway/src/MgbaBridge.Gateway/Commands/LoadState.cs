using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Puts the whole machine into a state.</summary>
/// <param name="State">The bytes of a state, raw or PNG.</param>
/// <param name="Flags">What is taken; null for the script's default.</param>
public readonly record struct LoadState(ReadOnlySequence<byte> State, StateFlags? Flags) : ICommand
{
    private static readonly CommandRow LoadRow = new("state.load", CommandKind.Effect);

    /// <summary>The raw state.</summary>
    public ReadOnlySequence<byte> State { get; } = PngState.Unpack(State);

    /// <inheritdoc/>
    public CommandRow Row => LoadRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Bulk;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => State;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        if (Flags is { } flags)
        {
            head.Named("flags"u8, (long)flags);
        }
    }
}
