using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Asks the script to send bytes back. They travel as a tail, so none is special.</summary>
/// <param name="Message">Any bytes.</param>
public readonly record struct Echo(ReadOnlySequence<byte> Message) : ICommand
{
    private static readonly CommandRow EchoRow = new("echo", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => EchoRow;

    /// <inheritdoc/>
    public Lane Lane => Transfer.LaneFor(Message.Length);

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => Message;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}
