using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Asks for a sign of life. It does not keep the script lingering.</summary>
public readonly record struct Ping : ICommand
{
    private static readonly CommandRow PingRow = new("ping", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => PingRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}
