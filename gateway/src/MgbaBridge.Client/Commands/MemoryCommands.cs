using System.Buffers;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadCell
{
    /// <summary>The value.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(ByteRow);
    }
}

/// <summary>How many bits of memory one value covers.</summary>
public enum CellWidth
{
    Byte = 8,
    Half = 16,
    Word = 32,
}

public readonly partial record struct WriteMemory
{
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
internal readonly record struct WriteNumberOrBytes(WriteCell? Number, WriteMemory Range) : ICommand<WriteNumberOrBytes>
{
    /// <summary>Writes a value.</summary>
    public static WriteNumberOrBytes Of(WriteCell number) => new(number, default);

    /// <summary>Writes bytes.</summary>
    public static WriteNumberOrBytes Of(WriteMemory range) => new(null, range);

    public CommandDescriptor Descriptor => Number?.Descriptor ?? Range.Descriptor;

    public static RequestClass ClassOf(in WriteNumberOrBytes command) => command.Number is null ? WriteMemory.ClassOf(command.Range) : RequestClass.Interactive;

    public static ReadOnlySequence<byte>? TailOf(in WriteNumberOrBytes command) => command.Number is null ? WriteMemory.TailOf(command.Range) : null;

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

/// <summary>A range of memory and its type.</summary>
/// <param name="Location">Where it starts.</param>
/// <param name="Length">How many bytes.</param>
/// <param name="Type">The type of its number, or null for bytes.</param>
public readonly record struct MemoryRange(Location Location, long Length, NumberType? Type)
{
    /// <summary>Writes the location and the length of each.</summary>
    public static void WriteTo(ref HeadWriter head, IReadOnlyList<MemoryRange> ranges)
    {
        foreach (var range in ranges)
        {
            range.Location.WriteTo(ref head);
            head.Integer(range.Length);
        }
    }

    /// <summary>How long ranges are together. None counts for more than there are addresses: a sum of any lengths does not overflow.</summary>
    public static long TotalLength(IReadOnlyList<MemoryRange> ranges) => ranges.Sum(range => Math.Min(range.Length, uint.MaxValue));
}

public readonly partial record struct ListDomains
{
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
                throw new UnexpectedReplyException(Row);
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
