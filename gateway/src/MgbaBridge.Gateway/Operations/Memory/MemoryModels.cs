using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Memory;

/// <summary>One value of memory.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Location">Where it was read.</param>
/// <param name="Value">The value, unsigned.</param>
public readonly record struct CellAnswer(
    long Frame,
    Epoch Epoch,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    long Value);

/// <summary>A range of memory.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Location">Where it starts.</param>
/// <param name="Bytes">The bytes, in base64. With <c>Accept: application/octet-stream</c> the response is raw.</param>
public readonly record struct BytesAnswer(
    long Frame,
    Epoch Epoch,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    ReadOnlyMemory<byte> Bytes)
{
    internal static BytesAnswer Of(ReadMemory command, Reply reply) => new(reply.Frame, reply.Epoch, command.Location, reply.Tail);
}

/// <summary>Something was written.</summary>
/// <param name="Frame">The script's frame count when it was answered.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="First">The frame of the first byte written.</param>
/// <param name="Last">The frame of the last byte written: later than the first for more than 16 KiB.</param>
public readonly record struct WriteAnswer(long Frame, Epoch Epoch, long First, long Last)
{
    internal const string Example = """{"frame":4711,"epoch":"9f3a01c2","first":4711,"last":4711}""";

    // one frame for every 16 KiB, and each may be late
    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(5);

    /// <summary>How long a write of this many bytes may take.</summary>
    internal static TimeSpan MaxWait(long bytes) => AtLeast + (PerFrame * ((bytes / Transfer.SlowFrom) + 1));

    internal static WriteAnswer Of(Reply reply)
    {
        var (first, last) = WriteMemory.Parse(reply);
        return new WriteAnswer(reply.Frame, reply.Epoch, first, last);
    }
}

/// <summary>What was read, all in one frame.</summary>
public readonly struct ReadsAnswer
{
    private readonly IReadOnlyList<MemoryRange> _ranges;

    internal ReadsAnswer(in GatherMemory command, Reply reply) => (Frame, Epoch, _ranges, Bytes) = (reply.Frame, reply.Epoch, command.Ranges, reply.Tail);

    /// <summary>The script's frame count when it ran.</summary>
    public long Frame { get; }

    /// <summary>Changes when the script or the game changes: eight hex digits.</summary>
    public Epoch Epoch { get; }

    /// <summary>In the order of the request.</summary>
    public IReadOnlyList<ReadAnswer> Reads
    {
        get
        {
            var answers = new ReadAnswer[_ranges.Count];
            var at = 0;
            for (var index = 0; index < answers.Length; index++)
            {
                answers[index] = ReadAnswer.Of(_ranges[index], Bytes.Slice(at, (int)_ranges[index].Length));
                at += (int)_ranges[index].Length;
            }

            return answers;
        }
    }

    /// <summary>The bytes of all ranges.</summary>
    internal ReadOnlyMemory<byte> Bytes { get; }
}

/// <summary>The result of one read.</summary>
/// <param name="Location">Where.</param>
/// <param name="Value">The number, if a type was given.</param>
/// <param name="Bytes">The bytes in base64, if a length was given.</param>
public readonly record struct ReadAnswer(
    [property: JsonConverter(typeof(LocationConverter))] Location Location, long? Value, ReadOnlyMemory<byte>? Bytes)
{
    /// <summary>The answer made from the bytes of a range.</summary>
    internal static ReadAnswer Of(in MemoryRange range, ReadOnlyMemory<byte> bytes) =>
        range.Type is { } type ? new ReadAnswer(range.Location, type.Read(bytes.Span), null) : new ReadAnswer(range.Location, null, bytes);
}

/// <summary>The parts of the game's memory that have a name.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Domains">By address.</param>
public readonly record struct DomainsAnswer(
    long Frame,
    Epoch Epoch,
    IReadOnlyList<DomainAnswer> Domains)
{
    internal static DomainsAnswer Of(Reply reply)
    {
        var byAddress = ListDomains.Parse(reply).OrderBy(domain => domain.Base).ThenBy(domain => domain.Id, StringComparer.Ordinal);
        return new DomainsAnswer(reply.Frame, reply.Epoch, [.. byAddress.Select(domain => new DomainAnswer(domain.Id, domain.Name, Hex.Of(domain.Base), domain.Size))]);
    }
}

/// <summary>A part of the game's memory with a name.</summary>
/// <param name="Id">Its prefix in a location, such as `wram` in `wram:0x10`.</param>
/// <param name="Name">What people call it.</param>
/// <param name="Base">The address of its first byte on the bus.</param>
/// <param name="Size">How many bytes it has.</param>
public readonly record struct DomainAnswer(string Id, string Name, string Base, long Size);
