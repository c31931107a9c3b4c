using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Takes back a request of this session.</summary>
/// <param name="Id">The request's id.</param>
public readonly record struct Cancel(long Id) : ICommand
{
    private static readonly CommandRow CancelRow = new("cancel", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => CancelRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Integer(Id);
}
