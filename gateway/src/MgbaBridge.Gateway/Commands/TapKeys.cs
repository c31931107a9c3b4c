using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Presses keys together, behind the taps that wait for any of them.</summary>
/// <param name="Keys">The keys, at least one.</param>
/// <param name="Frames">Frames down, 1..36000; null for 4.</param>
/// <param name="Gap">Frames up before the next press of the same key, 1..36000; null for 2.</param>
/// <param name="Wait">Whether the reply comes when they are up again.</param>
public readonly record struct TapKeys(KeySet Keys, long? Frames, long? Gap, bool Wait) : ICommand
{
    private static readonly CommandRow TapRow = new("key.tap", CommandKind.Effect);
    private static readonly CommandRow AwaitedRow = new("key.tap", CommandKind.Effect, lasts: true);

    /// <inheritdoc/>
    public CommandRow Row => Wait ? AwaitedRow : TapRow;

    /// <inheritdoc/>
    public Lane Lane => Wait ? Lane.Push : Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        Keys.WriteTo(ref head);
        KeyPress.WriteTo(ref head, Frames, Gap, Wait);
    }
}
