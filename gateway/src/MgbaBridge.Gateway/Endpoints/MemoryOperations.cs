using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints.OpenApi;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What the API's document says about <see cref="MemoryEndpoints"/>.</summary>
internal static class MemoryOperations
{
    private const string Tag = "Memory";
    private const string WriteExample = """{"frame":4711,"epoch":"9f3a01c2","first":4711,"last":4711}""";

    public static Operation ReadRange { get; } = new(Tag, "Read bytes, all from one frame")
    {
        Description = "Raw with `Accept: application/octet-stream`, else in base64.",
        Inputs = [new Input("length", "How many bytes, 0 to 4194304.", "16") { IsInteger = true, IsRequired = true }],
        Answers = [Content.Json<BytesAnswer>("""{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","bytes":"TUJUMQEAAABkEgAA"}"""), Content.Bytes()],
    };

    public static Operation WriteRange { get; } = new(Tag, "Write bytes")
    {
        Description = "Up to 16 KiB are written in one frame; more takes one frame for each 16 KiB, in order, and the answer says which.",
        Inputs = [Input.Holder],
        Body = Content.Bytes(),
        Answers = [Content.Json<WriteAnswer>(WriteExample)],
    };

    public static Operation ReadValue { get; } = new(Tag, "Read a list, a text, or a number of either order of bytes")
    {
        Inputs =
        [
            new Input("type", "u8, s8, u16, s16, u32, s32, text or bytes.", "u16") { IsRequired = true },
            QueryForm.Count, QueryForm.Endian, QueryForm.Length, QueryForm.Table,
        ],
        Answers = [Content.Json<MemoryValueAnswer>("""{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","value":[16973,12628]}""")],
    };

    public static Operation WriteValue { get; } = new(Tag, "Write a list, a text, or a number of either order of bytes")
    {
        Description = "A text is filled up to its length with the byte that ends one. More than 16 KiB takes several frames; the answer says which.",
        Inputs = [.. ReadValue.Inputs, Input.Holder],
        Body = Content.Json<ValueBody>("""{"value":[1,2]}"""),
        Answers = [Content.Json<WriteAnswer>(WriteExample)],
    };

    public static Operation Read(NumberType type) => new(Tag, $"Read {Described(type)}")
    {
        Description = "Little-endian; the address may be odd.",
        Answers = [Content.Json<CellAnswer>("""{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","value":77}""")],
    };

    public static Operation Write(NumberType type) => new(Tag, $"Write {Described(type)}")
    {
        Description = "Little-endian; the address may be odd. Negative values are written in two's complement.",
        Inputs = [Input.Holder],
        Body = Content.Json<CellBody>("""{"value":5}"""),
        Answers = [Content.Json<WriteAnswer>(WriteExample)],
    };

    private static string Described(NumberType type) =>
        $"{(type is NumberType.U8 or NumberType.U16 or NumberType.U32 ? "an unsigned" : "a signed")} number of {(int)type.Width()} bits";
}
