using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Reads one value of 8, 16 or 32 bits, unsigned and little-endian.</summary>
/// <param name="Location">Where.</param>
/// <param name="Width">How wide.</param>
public readonly record struct ReadCell(Location Location, CellWidth Width) : ICommand<ReadCell>
{
    private static readonly CommandDescriptor ReadByte = new("memory.read8", CommandKind.Read);
    private static readonly CommandDescriptor ReadHalf = new("memory.read16", CommandKind.Read);
    private static readonly CommandDescriptor ReadWord = new("memory.read32", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Width switch { CellWidth.Byte => ReadByte, CellWidth.Half => ReadHalf, _ => ReadWord };

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => Location.WriteTo(ref head);

    /// <summary>The value.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(ReadByte);
    }
}

/// <summary>Writes one value of 8, 16 or 32 bits, little-endian.</summary>
/// <param name="Location">Where.</param>
/// <param name="Width">How wide.</param>
/// <param name="Value">0..2^bits-1, or negative in two's complement.</param>
public readonly record struct WriteCell(Location Location, CellWidth Width, long Value) : ICommand<WriteCell>
{
    private static readonly CommandDescriptor WriteByte = new("memory.write8", CommandKind.Effect);
    private static readonly CommandDescriptor WriteHalf = new("memory.write16", CommandKind.Effect);
    private static readonly CommandDescriptor WriteWord = new("memory.write32", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Width switch { CellWidth.Byte => WriteByte, CellWidth.Half => WriteHalf, _ => WriteWord };

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        Location.WriteTo(ref head);
        head.Integer(Value);
    }
}

/// <summary>How many bits of memory one value covers.</summary>
public enum CellWidth
{
    Byte = 8,
    Half = 16,
    Word = 32,
}

/// <summary>Reads a range of memory as raw bytes. The reply's tail contains them.</summary>
/// <param name="Location">Where it starts.</param>
/// <param name="Length">How many bytes.</param>
public readonly record struct ReadMemory(Location Location, long Length) : ICommand<ReadMemory>
{
    private static readonly CommandDescriptor ReadDescriptor = new("memory.read", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => ReadDescriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in ReadMemory command) => Transfer.ClassFor(command.Length);

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        Location.WriteTo(ref head);
        head.Integer(Length);
    }
}

/// <summary>Writes raw bytes. More than 16 KiB takes several frames; the reply says which.</summary>
/// <param name="Location">Where the first byte goes.</param>
/// <param name="Bytes">The bytes.</param>
public readonly record struct WriteMemory(Location Location, ReadOnlySequence<byte> Bytes) : ICommand<WriteMemory>
{
    private static readonly CommandDescriptor WriteDescriptor = new("memory.write", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => WriteDescriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in WriteMemory command) => Transfer.ClassFor(command.Bytes.Length);

    /// <inheritdoc/>
    public static ReadOnlySequence<byte>? TailOf(in WriteMemory command) => command.Bytes;

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

/// <summary>Writes one value or raw bytes, as the caller chooses.</summary>
/// <param name="Number">The value; null for bytes.</param>
/// <param name="Range">The bytes.</param>
public readonly record struct WriteNumberOrBytes(WriteCell? Number, WriteMemory Range) : ICommand<WriteNumberOrBytes>
{
    /// <summary>Writes a value.</summary>
    public static WriteNumberOrBytes Of(WriteCell number) => new(number, default);

    /// <summary>Writes bytes.</summary>
    public static WriteNumberOrBytes Of(WriteMemory range) => new(null, range);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Number?.Descriptor ?? Range.Descriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in WriteNumberOrBytes command) => command.Number is null ? WriteMemory.ClassOf(command.Range) : RequestClass.Interactive;

    /// <inheritdoc/>
    public static ReadOnlySequence<byte>? TailOf(in WriteNumberOrBytes command) => command.Number is null ? WriteMemory.TailOf(command.Range) : null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        if (Number is { } number)
        {
            number.WriteArguments(ref head);
        }
        else
        {
            Range.WriteArguments(ref head);
        }
    }
}

/// <summary>Reads many ranges, all from one frame. The reply's tail contains them one after the other.</summary>
/// <param name="Ranges">The ranges, 1 to 1024.</param>
public readonly record struct GatherMemory(IReadOnlyList<MemoryRange> Ranges) : ICommand<GatherMemory>
{
    private static readonly CommandDescriptor GatherDescriptor = new("memory.gather", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => GatherDescriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in GatherMemory command) => Transfer.ClassFor(MemoryRange.TotalLength(command.Ranges));

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

/// <summary>A range of memory and its type.</summary>
/// <param name="Location">Where it starts.</param>
/// <param name="Length">How many bytes.</param>
/// <param name="Type">The type of its number, or null for bytes.</param>
public readonly record struct MemoryRange(Location Location, long Length, NumberType? Type)
{
    /// <summary>How long ranges are together. None counts for more than there are addresses: a sum of any lengths does not overflow.</summary>
    public static long TotalLength(IReadOnlyList<MemoryRange> ranges) => ranges.Sum(range => Math.Min(range.Length, uint.MaxValue));
}

/// <summary>Lists the memory domains of the game.</summary>
public readonly record struct ListDomains() : ICommand<ListDomains>
{
    private static readonly CommandDescriptor DomainsDescriptor = new("memory.domains", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => DomainsDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>The domains, in mGBA's own order.</summary>
    public static IReadOnlyList<MemoryDomain> Parse(Reply reply)
    {
        var domains = new List<MemoryDomain>();
        var values = reply.Values;
        while (values.Read())
        {
            var id = values.GetText();
            var name = values.Read() ? values.GetText() : "";
            if (!values.TryReadInteger(out var first) || !values.TryReadInteger(out var bound) || !values.TryReadInteger(out var size))
            {
                throw new UnexpectedReplyException(DomainsDescriptor);
            }

            domains.Add(new MemoryDomain(id, name, first, bound, size));
        }

        return domains;
    }
}

/// <summary>A named part of the game's memory.</summary>
/// <param name="Id">Its id in a location, such as <c>wram</c>.</param>
/// <param name="Name">Its display name.</param>
/// <param name="Base">The address of its first byte on the bus.</param>
/// <param name="Bound">The address after its last byte.</param>
/// <param name="Size">Its size in bytes.</param>
public sealed record MemoryDomain(string Id, string Name, long Base, long Bound, long Size);
