using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Of a batch: goes on only if these bytes stand in memory.</summary>
/// <param name="Location">Where they start.</param>
/// <param name="Bytes">The bytes.</param>
public readonly record struct GuardBytes(Location Location, ReadOnlyMemory<byte> Bytes) : ICommand
{
    private static readonly CommandRow GuardRow = new("guard", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => GuardRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => new ReadOnlySequence<byte>(Bytes);

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => Location.WriteTo(ref head);
}
