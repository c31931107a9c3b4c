using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Memory;

/// <summary>The game's memory, as bytes and as numbers.</summary>
internal static class MemoryOperations
{
    private static readonly Resource Resource = new("Memory", MemoryJson.Default);

    /// <summary>Where a value is.</summary>
    internal static Parameter<Location> At { get; } = Parameter.Location("location", "Where: an address on the game's bus, or an offset in a memory domain.");
    private static readonly Parameter<long> Length = Parameter.Integer("length", 0, (long)Limits.Length, "How many bytes.") with { Example = "16" };
    private static readonly Parameter<NumberType?> Type = Parameter.Choice<NumberType>("type", "What the number is, little-endian.").Optional();

    /// <summary>A number of a type.</summary>
    internal static Parameters<MemoryRange> Number { get; } = Parameters.Of(
        At,
        Parameter.Choice<NumberType>("type", Type.Sentence).Or(NumberType.U8),
        static (location, type) => new MemoryRange(location, type.Bytes(), type));

    // a number of a type, or some bytes
    private static readonly Parameters<MemoryRange> Range = Parameters.Of(At, Type, Length.Optional(), static Made<MemoryRange> (location, type, length) => type is null != length is null
        ? new MemoryRange(location, type?.Bytes() ?? length ?? 0, type)
        : new WrongParameters("Write either a type, {\"location\": \"0x02000000\", \"type\": \"u16\"}, or a length, {\"location\": \"wram:0x10\", \"length\": 16}."));

    public static CommandOperation<ReadMemory, BytesAnswer> Read { get; } = new(Resource, "memory.read", HttpMethods.Get, "/v2/memory/{location}", Access.Read)
    {
        Summary = "Read bytes, all from one frame",
        Description = "Raw with `Accept: application/octet-stream`, otherwise base64.",
        Request = Parameters.Of(At, Length, static (location, length) => new ReadMemory(location, length)),
        Read = BytesAnswer.Of,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","bytes":"TUJUMQEAAABkEgAA"}""",
        Bytes = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), BytesOf<BytesAnswer>.Binary) { IsOnRequest = true },
    };

    public static CommandOperation<WriteNumberOrBytes, WriteAnswer> Write { get; } = new(Resource, "memory.write", HttpMethods.Put, "/v2/memory/{location}", Access.Write)
    {
        Summary = "Write bytes",
        Description = $"Up to {Limits.Write >> 10} KiB are written in one frame; more takes one frame for each {Limits.Write >> 10} KiB, in order, and the response lists the frames.",
        Request = Parameters.Of(
            At,
            Type,
            Parameter.Integer("value", int.MinValue, (long)uint.MaxValue, "The number, instead of bytes; negative ones in two's complement.").Optional(),
            Parameter.Bytes("bytes", $"The bytes, instead of type and value; up to {Limits.Write >> 10} KiB in a batch."),
            WriteOf),
        Read = static (_, reply) => WriteAnswer.Of(reply),
        ResponseExample = WriteAnswer.Example,
        Timeout = static command => command.Number is null ? WriteAnswer.MaxWait(command.Range.Bytes.Length) : null,
        Item = ("write", ItemResultKind.Done),
    };

    public static CommandOperation<ListDomains, DomainsAnswer> Domains { get; } = new(Resource, "memory.domains", HttpMethods.Get, "/v2/memory/domains", Access.Read)
    {
        Summary = "The memory domains",
        Request = Parameters.Always(new ListDomains()),
        Read = static (_, reply) => DomainsAnswer.Of(reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","domains":[{"id":"wram","name":"EWRAM","base":"0x02000000","size":262144}]}""",
    };

    public static CommandOperation<GatherMemory, ReadsAnswer> Gather { get; } = new(Resource, "memory.gather", HttpMethods.Post, "/v2/memory/read", Access.Read)
    {
        Summary = "Read many locations in one frame",
        Description = $"Numbers and ranges, up to {Limits.Tail >> 20} MiB together, all from the same frame.",
        Request = Parameters.Of(
            Parameter.List("reads", Range, 1, Limits.Repeats, """[{"location":"0x02000008","type":"u32"},{"location":"wram:0xA0","length":10}]""", "What to read: numbers of a type, or so many bytes."),
            static reads => new GatherMemory(reads)),
        RequestExample = """{"reads":[{"location":"0x02000008","type":"u32"},{"location":"wram:0xA0","length":10}]}""",
        Read = static (command, reply) => new ReadsAnswer(command, reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","reads":[{"location":"0x02000008","value":4708},{"location":"wram:0xA0","bytes":"SEVMTE8gTUdCQQ=="}]}""",
        Bytes = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), BytesOf<ReadsAnswer>.Binary) { IsOnRequest = true },
        Batch = BatchEntry.Of(Parameter.Object("read", Range, "Read memory."), static (range, items) =>
        {
            if (range.Type is { } type)
            {
                items.Add(new ReadCell(range.Location, type.Width()), ItemResultKind.Number, type);
            }
            else
            {
                items.Add(new ReadMemory(range.Location, range.Length), ItemResultKind.Bytes);
            }

            return null;
        }),
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } =
        [Gather, Read, Write, .. Enum.GetValues<NumberType>().SelectMany(type => new Operation[] { ReadNumber(type), WriteNumber(type) }), Domains];

    private static CommandOperation<ReadCell, CellAnswer> ReadNumber(NumberType type) => new(Resource, $"memory.read.{NameOf(type)}", HttpMethods.Get, PathOf(type), Access.Read)
    {
        Summary = $"Read {Described(type)}",
        Description = "Little-endian; the address may be odd.",
        Request = Parameters.Of(At, location => new ReadCell(location, type.Width())),
        Read = (command, reply) => new CellAnswer(reply.Frame, reply.Epoch, command.Location, type.Of(ReadCell.Parse(reply))),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","value":77}""",
        IsItem = false,
    };

    private static CommandOperation<WriteCell, WriteAnswer> WriteNumber(NumberType type) => new(Resource, $"memory.write.{NameOf(type)}", HttpMethods.Put, PathOf(type), Access.Write)
    {
        Summary = $"Write {Described(type)}",
        Description = "Little-endian; the address may be odd.",
        Request = Parameters.Of(
            At,
            Parameter.Integer("value", -(1L << ((int)type.Width() - 1)), (1L << (int)type.Width()) - 1, "The number; negative ones in two's complement."),
            (location, value) => new WriteCell(location, type.Width(), value)),
        RequestExample = """{"value":5}""",
        Read = static (_, reply) => new WriteAnswer(reply.Frame, reply.Epoch, reply.Frame, reply.Frame),
        ResponseExample = WriteAnswer.Example,
        IsItem = false,
    };

    private static Made<WriteNumberOrBytes> WriteOf(Location location, NumberType? type, long? value, ReadOnlySequence<byte>? bytes) => (type, value, bytes) switch
    {
        (null, null, { } range) => WriteNumberOrBytes.Of(new WriteMemory(location, range)),
        ({ } width, { } number, null or { IsEmpty: true }) => WriteNumberOrBytes.Of(new WriteCell(location, width.Width(), number)),
        _ => new WrongParameters("A write has a location and either a type and a value, or bytes in base64."),
    };

    private static string NameOf(NumberType type) => type.ToString().ToLowerInvariant();

    private static string PathOf(NumberType type) => $"/v2/memory/{{location}}/{NameOf(type)}";

    private static string Described(NumberType type) =>
        $"{(type is NumberType.U8 or NumberType.U16 or NumberType.U32 ? "an unsigned" : "a signed")} number of {(int)type.Width()} bits";
}

/// <summary>The JSON of memory.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(NumberTypeConverter)])]
[JsonSerializable(typeof(CellAnswer))]
[JsonSerializable(typeof(BytesAnswer))]
[JsonSerializable(typeof(WriteAnswer))]
[JsonSerializable(typeof(ReadsAnswer))]
[JsonSerializable(typeof(DomainsAnswer))]
internal sealed partial class MemoryJson : JsonSerializerContext;
