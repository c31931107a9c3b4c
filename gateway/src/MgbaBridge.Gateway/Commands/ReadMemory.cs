using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Reads a range of memory as raw bytes. The reply's tail has them.</summary>
/// <param name="Location">Where it starts.</param>
/// <param name="Length">How many bytes.</param>
public readonly record struct ReadMemory(Location Location, long Length) : ICommand
{
    private static readonly CommandRow ReadRow = new("memory.read", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => ReadRow;

    /// <inheritdoc/>
    public Lane Lane => Transfer.LaneFor(Length);

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        Location.WriteTo(ref head);
        head.Integer(Length);
    }
}
