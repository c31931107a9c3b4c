using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Writes raw bytes. More than 16 KiB takes several frames; the reply says which.</summary>
/// <param name="Location">Where the first byte goes.</param>
/// <param name="Bytes">The bytes.</param>
public readonly record struct WriteMemory(Location Location, ReadOnlySequence<byte> Bytes) : ICommand
{
    private static readonly CommandRow WriteRow = new("memory.write", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => WriteRow;

    /// <inheritdoc/>
    public Lane Lane => Transfer.LaneFor(Bytes.Length);

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => Bytes;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => Location.WriteTo(ref head);

    /// <summary>The first and the last frame that wrote.</summary>
    public static (long First, long Last) Parse(Reply reply)
    {
        var values = reply.Values;
        long first = reply.Frame, last = reply.Frame;
        while (values.Read())
        {
            if (values.Name.SequenceEqual("first"u8))
            {
                first = values.Integer;
            }
            else if (values.Name.SequenceEqual("last"u8))
            {
                last = values.Integer;
            }
        }

        return (first, last);
    }
}
