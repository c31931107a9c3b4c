using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Memory;

/// <summary>What the API's document says about <see cref="MemoryEndpoints"/>.</summary>
internal static class MemoryDescriptions
{
    private const string Tag = "Memory";
    internal const string WriteExample = """{"frame":4711,"epoch":"9f3a01c2","first":4711,"last":4711}""";

    public static OperationDescription ReadRange { get; } = new(Tag, "Read bytes, all from one frame")
    {
        Description = "Raw with `Accept: application/octet-stream`, else in base64.",
        Inputs = [new Input("length", "How many bytes, 0 to 4194304.", "16") { IsInteger = true, IsRequired = true }],
        Answers = [Content.Json<BytesAnswer>("""{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","bytes":"TUJUMQEAAABkEgAA"}"""), Content.Bytes()],
    };

    public static OperationDescription WriteRange { get; } = new(Tag, "Write bytes")
    {
        Description = "Up to 16 KiB are written in one frame; more takes one frame for each 16 KiB, in order, and the answer says which.",
        Inputs = [Input.Holder],
        Body = Content.Bytes(),
        Answers = [Content.Json<WriteAnswer>(WriteExample)],
    };

    public static OperationDescription Read(NumberType type) => new(Tag, $"Read {Described(type)}")
    {
        Description = "Little-endian; the address may be odd.",
        Answers = [Content.Json<CellAnswer>("""{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","value":77}""")],
    };

    public static OperationDescription Write(NumberType type) => new(Tag, $"Write {Described(type)}")
    {
        Description = "Little-endian; the address may be odd. Negative values are written in two's complement.",
        Inputs = [Input.Holder],
        Body = Content.Json<CellBody>("""{"value":5}"""),
        Answers = [Content.Json<WriteAnswer>(WriteExample)],
    };

    private static string Described(NumberType type) =>
        $"{(type is NumberType.U8 or NumberType.U16 or NumberType.U32 ? "an unsigned" : "a signed")} number of {(int)type.Width()} bits";
}
