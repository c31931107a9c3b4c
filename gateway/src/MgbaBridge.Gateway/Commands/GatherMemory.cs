using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Reads many ranges, all from one frame. The reply's tail has them one after the other.</summary>
/// <param name="Ranges">The ranges, 1 to 1024.</param>
public readonly record struct GatherMemory(IReadOnlyList<MemoryRange> Ranges) : ICommand
{
    /// <summary>The most ranges of one request.</summary>
    public const int Most = 1_024;

    private static readonly CommandRow GatherRow = new("memory.gather", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => GatherRow;

    /// <inheritdoc/>
    public Lane Lane => Transfer.LaneFor(Ranges.Sum(range => range.Length));

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        foreach (var range in Ranges)
        {
            range.Location.WriteTo(ref head);
            head.Integer(range.Length);
        }
    }
}
