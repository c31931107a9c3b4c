using System.Buffers;
using System.Globalization;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Memory;

/// <summary>The game's memory, as bytes and as numbers.</summary>
internal static class MemoryOperations
{
    private const string Tag = "Memory";
    private const string LengthHint = "length is the number of bytes to read, 0 to 4194304, as in ?length=16.";

    public static CommandOperation<RangeRequest, ReadMemory, BytesAnswer> ReadBytes { get; } = new("memory.read.bytes", HttpMethods.Get, "/v2/memory/{location}", Access.Read)
    {
        Tag = Tag,
        Summary = "Read bytes, all from one frame",
        Description = "Raw with `Accept: application/octet-stream`, otherwise base64.",
        Inputs = [new Input("length", "How many bytes, 0 to 4194304.", "16") { IsInteger = true, IsRequired = true }],
        Request = Request.Route(MemoryJson.Default, static (HttpContext http, out RangeRequest request) =>
        {
            request = default;
            if (!TryLocation(http, out var location))
            {
                return Location.FormatHint;
            }

            var isNumber = long.TryParse(http.Request.Query["length"].ToString(), NumberStyles.None, CultureInfo.InvariantCulture, out var length);
            request = new RangeRequest { Location = location, Length = length };
            return isNumber ? null : LengthHint;
        }),
        Command = static (RangeRequest request, out ReadMemory command) =>
        {
            command = new ReadMemory(request.Location, request.Length);
            return request.Length < 0 ? LengthHint : null;
        },
        Read = BytesAnswer.Of,
        Response = MemoryJson.Default,
        Contents = [Content.Json<BytesAnswer>("""{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","bytes":"TUJUMQEAAABkEgAA"}"""), Content.Bytes()],
        Respond = static (http, command, reply) => WantsRawBytes(http)
            ? RawAnswer.WriteAsync(http, reply.Tail)
            : JsonBody.WriteAsync(http, BytesAnswer.Of(command, reply), MemoryJson.Default.BytesAnswer),
        TailIsBytes = true,
    };

    public static CommandOperation<WriteItem, WriteNumberOrBytes, WriteAnswer> Write { get; } = new("memory.write", HttpMethods.Put, "/v2/memory/{location}", Access.Write)
    {
        Tag = Tag,
        Summary = "Write bytes",
        Description = "Up to 16 KiB are written in one frame; more takes one frame for each 16 KiB, in order, and the response lists the frames.",
        Inputs = [Input.Holder],
        Request = Request.Bytes(
            MemoryJson.Default,
            static (item, bytes) => item with { Bytes = bytes },
            static (HttpContext http, ReadOnlySequence<byte> body, out WriteItem request) =>
            {
                var isLocation = TryLocation(http, out var location);
                request = new WriteItem { Location = location, Body = body };
                return isLocation ? null : Location.FormatHint;
            }),
        Command = static (WriteItem item, out WriteNumberOrBytes command) => item.TryCommand(out command),
        Read = static (_, reply) => WriteAnswer.Of(reply),
        Response = MemoryJson.Default,
        ResponseExample = WriteAnswer.Example,
        Timeout = static item => item.MaxWait,
        Batch = BatchEntry.Of<WriteItem, WriteNumberOrBytes>(
            "write", "Write memory.", MemoryJson.Default, static (WriteItem item, out WriteNumberOrBytes command) => item.TryCommand(out command), ItemResultKind.Done),
    };

    public static CommandOperation<NoParameters, ListDomains, DomainsAnswer> Domains { get; } = new("memory.domains", HttpMethods.Get, "/v2/memory/domains", Access.Read)
    {
        Tag = Tag,
        Summary = "The memory domains",
        Request = Request.None,
        Command = CommandFactories.WithoutArguments,
        Read = static (_, reply) => DomainsAnswer.Of(reply),
        Response = MemoryJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","domains":[{"id":"wram","name":"EWRAM","base":"0x02000000","size":262144}]}""",
    };

    public static CommandOperation<ReadsBody, GatherMemory, ReadsAnswer> ReadMany { get; } = new("memory.read", HttpMethods.Post, "/v2/memory/read", Access.Read)
    {
        Tag = Tag,
        Summary = "Read many locations in one frame",
        Description = "1 to 1024 numbers and ranges, up to 4 MiB together, all from the same frame.",
        Request = Request.Body<ReadsBody>(MemoryJson.Default, """{"reads":[{"location":"0x02000008","type":"u32"},{"location":"wram:0xA0","length":10}]}"""),
        Command = static (ReadsBody body, out GatherMemory command) =>
        {
            var wrong = body.Wrong();
            command = wrong is null ? new GatherMemory([.. body.Reads.Select(read => read.Range)]) : default;
            return wrong;
        },
        Read = static (command, reply) => ReadsAnswer.Of(command, reply),
        Response = MemoryJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","reads":[{"location":"0x02000008","value":4708},{"location":"wram:0xA0","bytes":"SEVMTE8gTUdCQQ=="}]}""",
        TailIsBytes = true,
        Batch = BatchEntry.Of<ReadItem>("read", "Read memory.", MemoryJson.Default, static (item, items) => item.AddTo(items)),
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } =
        [ReadMany, ReadBytes, Write, .. Enum.GetValues<NumberType>().SelectMany(type => new Operation[] { ReadNumber(type), WriteNumber(type) }), Domains];

    private static CommandOperation<CellRequest, ReadCell, CellAnswer> ReadNumber(NumberType type) => new($"memory.read.{NameOf(type)}", HttpMethods.Get, PathOf(type), Access.Read)
    {
        Tag = Tag,
        Summary = $"Read {Described(type)}",
        Description = "Little-endian; the address may be odd.",
        Request = Request.Route(MemoryJson.Default, static (HttpContext http, out CellRequest request) =>
        {
            var isLocation = TryLocation(http, out var location);
            request = new CellRequest { Location = location };
            return isLocation ? null : Location.FormatHint;
        }),
        Command = (CellRequest request, out ReadCell command) =>
        {
            command = new ReadCell(request.Location, type.Width());
            return null;
        },
        Read = (command, reply) => new CellAnswer(reply.Frame, reply.Epoch, command.Location, type.Of(ReadCell.Parse(reply))),
        Response = MemoryJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","value":77}""",
    };

    private static CommandOperation<WriteCellRequest, WriteCell, WriteAnswer> WriteNumber(NumberType type) => new($"memory.write.{NameOf(type)}", HttpMethods.Put, PathOf(type), Access.Write)
    {
        Tag = Tag,
        Summary = $"Write {Described(type)}",
        Description = "Little-endian; the address may be odd. Negative values are written in two's complement.",
        Inputs = [Input.Holder],
        Request = Request.Body<WriteCellRequest, CellBody>(MemoryJson.Default, """{"value":5}""", static (HttpContext http, CellBody body, out WriteCellRequest request) =>
        {
            var isLocation = TryLocation(http, out var location);
            request = new WriteCellRequest { Location = location, Value = body.Value };
            return isLocation ? null : Location.FormatHint;
        }),
        Command = (WriteCellRequest request, out WriteCell command) =>
        {
            command = new WriteCell(request.Location, type.Width(), request.Value);
            return null;
        },
        Read = static (_, reply) => new WriteAnswer(reply.Frame, reply.Epoch, reply.Frame, reply.Frame),
        Response = MemoryJson.Default,
        ResponseExample = WriteAnswer.Example,
    };

    private static string NameOf(NumberType type) => type.ToString().ToLowerInvariant();

    private static string PathOf(NumberType type) => $"/v2/memory/{{location}}/{NameOf(type)}";

    private static string Described(NumberType type) =>
        $"{(type is NumberType.U8 or NumberType.U16 or NumberType.U32 ? "an unsigned" : "a signed")} number of {(int)type.Width()} bits";

    private static bool WantsRawBytes(HttpContext http) =>
        http.Request.Headers.Accept.ToString().Contains(RawAnswer.Bytes, StringComparison.OrdinalIgnoreCase);

    private static bool TryLocation(HttpContext http, out Location location) =>
        Location.TryParse(http.Request.RouteValues["location"] as string, out location);
}

/// <summary>The JSON of memory.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(NumberTypeConverter)])]
[JsonSerializable(typeof(CellRequest))]
[JsonSerializable(typeof(WriteCellRequest))]
[JsonSerializable(typeof(RangeRequest))]
[JsonSerializable(typeof(CellBody))]
[JsonSerializable(typeof(WriteItem))]
[JsonSerializable(typeof(ReadsBody))]
[JsonSerializable(typeof(ReadItem))]
[JsonSerializable(typeof(CellAnswer))]
[JsonSerializable(typeof(BytesAnswer))]
[JsonSerializable(typeof(WriteAnswer))]
[JsonSerializable(typeof(ReadsAnswer))]
[JsonSerializable(typeof(DomainsAnswer))]
internal sealed partial class MemoryJson : JsonSerializerContext;
