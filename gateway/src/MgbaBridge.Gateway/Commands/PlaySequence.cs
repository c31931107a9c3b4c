using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Presses one after the other, all or none.</summary>
/// <param name="Steps"><c>A 4, wait 10, Up+B 2</c>: keys or <c>wait</c>, and frames.</param>
/// <param name="Gap">Frames up between presses of the same key, 1..36000; null for 2.</param>
/// <param name="Wait">Whether the reply comes when all is done.</param>
public readonly record struct PlaySequence(string Steps, long? Gap, bool Wait) : ICommand
{
    private static readonly CommandRow SequenceRow = new("key.sequence", CommandKind.Effect);
    private static readonly CommandRow AwaitedRow = new("key.sequence", CommandKind.Effect, lasts: true);

    /// <inheritdoc/>
    public CommandRow Row => Wait ? AwaitedRow : SequenceRow;

    /// <inheritdoc/>
    public Lane Lane => Wait ? Lane.Push : Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Steps));
        KeyPress.WriteTo(ref head, null, Gap, Wait);
    }
}
