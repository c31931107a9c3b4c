using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>Names of locations: symbols, property maps, and the values that they name.</summary>
internal static class SymbolOperations
{
    private const string Tag = "Names";
    private const string MemoryValuePath = "/v2/memory/{location}/value";
    private const string SymbolsExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","format":"elf","count":1,"symbols":[{"name":"box_x","location":"0x03000040","size":4}]}""";
    private const string PropertiesExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","properties":[{"name":"frames","at":"0x02000008","type":"u32"}]}""";
    private const string ValueExample = """{"frame":4711,"epoch":"9f3a01c2","name":"frames","location":"0x02000008","value":4708}""";

    private static readonly (int Status, string When) NoName = (404, "The game has no property and no symbol of this name.");
    private static readonly (int Status, string When) NoRoom = (507, "Names take as much memory, or are of as many games, as the settings allow.");

    public static EndpointOperation ListSymbols { get; } = new("symbols.list", HttpMethods.Get, "/v2/symbols", Access.Read, static http => GameSymbolRequests.WithGameAsync(http, SymbolEndpoints.ListAsync))
    {
        Tag = Tag,
        Summary = "The symbols of the game",
        Json = SymbolJson.Default,
        Inputs =
        [
            new Input("contains", "Only names that have this text in them, in capitals or not.", ""),
            .. Page.Inputs(SymbolEndpoints.MaxPage),
        ],
        Contents = [Content.Json<SymbolsAnswer>(SymbolsExample)],
    };

    public static EndpointOperation LoadSymbols { get; } = new("symbols.load", HttpMethods.Put, "/v2/symbols", Access.Manage, static http => GameSymbolRequests.WithGameAsync(http, SymbolEndpoints.LoadAsync))
    {
        Tag = Tag,
        Summary = "Load the symbols of the game",
        Json = SymbolJson.Default,
        Description = "An ELF file (32 bits, little-endian), a map of GNU ld, or a `.sym` list as RGBDS, no$gba and `nm` write it. They replace earlier ones, belong to the open game (by its CRC32), "
            + "and last until the gateway ends; `Bridge:Symbols:Folder` names a folder that is read at each start.",
        Body = Content.Bytes(),
        Contents = [Content.Json<SymbolsAnswer>(SymbolsExample)],
        OtherResponses = [NoRoom],
    };

    public static EndpointOperation ForgetSymbols { get; } = new("symbols.delete", HttpMethods.Delete, "/v2/symbols", Access.Manage, static http => GameSymbolRequests.WithGameAsync(http, SymbolEndpoints.ForgetAsync))
    {
        Tag = Tag,
        Summary = "Delete the symbols of the game",
        Json = SymbolJson.Default,
        Contents = [Content.Json<SymbolsAnswer>("""{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","count":0,"symbols":[]}""")],
    };

    public static EndpointOperation ListProperties { get; } = new("properties.list", HttpMethods.Get, "/v2/properties", Access.Read, static http => GameSymbolRequests.WithGameAsync(http, PropertyEndpoints.ListAsync))
    {
        Tag = Tag,
        Summary = "The properties of the game",
        Json = SymbolJson.Default,
        Contents = [Content.Json<PropertiesAnswer>(PropertiesExample)],
    };

    public static EndpointOperation LoadProperties { get; } = new("properties.load", HttpMethods.Put, "/v2/properties", Access.Manage, static http => GameSymbolRequests.WithGameAsync(http, PropertyEndpoints.LoadAsync))
    {
        Tag = Tag,
        Summary = "Load a property map",
        Json = SymbolJson.Default,
        Description = "The names, locations and types of a game's values. It replaces an earlier map for the same game and lasts until the gateway ends; "
            + "`Bridge:Symbols:Folder` names a folder that is read at each start. An error names line and column, and the earlier map stays.",
        Body = Content.Json<MapBody>("""{"properties":{"frames":{"type":"u32","at":"0x02000008"},"node.value":{"type":"u32","at":"0x020000B0","chain":[8,0]},"greeting":{"type":"text","length":16,"at":"wram:0xA0"}}}"""),
        Contents = [Content.Json<PropertiesAnswer>(PropertiesExample)],
        OtherResponses = [NoRoom],
    };

    public static EndpointOperation ForgetProperties { get; } = new("properties.delete", HttpMethods.Delete, "/v2/properties", Access.Manage, static http => GameSymbolRequests.WithGameAsync(http, PropertyEndpoints.ForgetAsync))
    {
        Tag = Tag,
        Summary = "Delete the property map of the game",
        Json = SymbolJson.Default,
        Contents = [Content.Json<PropertiesAnswer>("""{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","properties":[]}""")],
    };

    public static EndpointOperation ReadMany { get; } = new("values.readMany", HttpMethods.Post, "/v2/values", Access.Read, ValueEndpoints.ReadManyAsync)
    {
        Tag = Tag,
        Summary = "Read values by name, all from one frame",
        Json = SymbolJson.Default,
        Description = "1 to 256 names of properties, parts of them (`edges[3]`, `node.tag`) and symbols (as u8, u16 or u32, by their size). Pointers are followed in that same frame.",
        Body = Content.Json<NamesBody>("""{"names":["frames","node.value"]}"""),
        Contents = [Content.Json<ValuesAnswer>("""{"frame":4711,"epoch":"9f3a01c2","values":[{"name":"frames","location":"0x02000008","value":4708},{"name":"node.value","location":"0x020000E0","value":12562532}]}""")],
        OtherResponses = [NoName, (409, "A pointer went elsewhere each time it was followed.")],
    };

    public static EndpointOperation Read { get; } = new("values.read", HttpMethods.Get, "/v2/values/{value}", Access.Read, static http => ValueEndpoints.WithPropertyAsync(http, ValueEndpoints.ReadAsync))
    {
        Tag = Tag,
        Summary = "Read a value by name",
        Json = SymbolJson.Default,
        Description = "A property, a part of one (`edges[3]`, `node.tag`), or a symbol, optionally with an offset (`player+0x10`). The query gives the type of a symbol.",
        Inputs = [new Input("type", "Of a symbol: u8, s8, u16, s16, u32, s32, text or bytes. By its size unless given, else u32.", "u32"), ValueTypeQuery.Count, ValueTypeQuery.Endian, ValueTypeQuery.Length, ValueTypeQuery.Table],
        Contents = [Content.Json<ValueAnswer>(ValueExample)],
        OtherResponses = [NoName, (409, "A pointer went elsewhere each time it was followed.")],
    };

    public static EndpointOperation Write { get; } = new("values.write", HttpMethods.Put, "/v2/values/{value}", Access.Write, static http => ValueEndpoints.WithPropertyAsync(http, ValueEndpoints.WriteAsync))
    {
        Tag = Tag,
        Summary = "Write a value by name",
        Json = SymbolJson.Default,
        Description = "Names are those of reading. Pointers are read again in the frame of the write; one that has changed is followed again.",
        Inputs = [.. Read.Inputs, Input.Holder],
        Body = Content.Json<ValueBody>("""{"value":5}"""),
        Contents = [Content.Json<ValueAnswer>("""{"frame":4711,"epoch":"9f3a01c2","name":"frames","location":"0x02000008"}""")],
        OtherResponses = [NoName, (409, "A pointer on the way is 0, or went elsewhere each time it was followed.")],
    };

    public static EndpointOperation ReadMemory { get; } = new(
        "memory.readValue", HttpMethods.Get, MemoryValuePath, Access.Read, static http => MemoryValueEndpoints.WithFormAsync(http, MemoryValueEndpoints.ReadAsync))
    {
        Tag = "Memory",
        Summary = "Read a list, a text, or a number in either byte order",
        Json = SymbolJson.Default,
        Inputs =
        [
            new Input("type", "u8, s8, u16, s16, u32, s32, text or bytes.", "u16") { IsRequired = true },
            ValueTypeQuery.Count, ValueTypeQuery.Endian, ValueTypeQuery.Length, ValueTypeQuery.Table,
        ],
        Contents = [Content.Json<MemoryValueAnswer>("""{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","value":[16973,12628]}""")],
    };

    public static EndpointOperation WriteMemory { get; } = new(
        "memory.writeValue", HttpMethods.Put, MemoryValuePath, Access.Write, static http => MemoryValueEndpoints.WithFormAsync(http, MemoryValueEndpoints.WriteAsync))
    {
        Tag = "Memory",
        Summary = "Write a list, a text, or a number in either byte order",
        Json = SymbolJson.Default,
        Description = "A text is padded to its length with the byte that ends one. More than 16 KiB takes several frames; the response lists them.",
        Inputs = [.. ReadMemory.Inputs, Input.Holder],
        Body = Content.Json<ValueBody>("""{"value":[1,2]}"""),
        Contents = [Content.Json<Memory.WriteAnswer>("""{"frame":4711,"epoch":"9f3a01c2","first":4711,"last":4711}""")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } =
        [ListSymbols, LoadSymbols, ForgetSymbols, ListProperties, LoadProperties, ForgetProperties, ReadMany, Read, Write, ReadMemory, WriteMemory];
}

/// <summary>The JSON of symbols, properties and values.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(SymbolsAnswer))]
[JsonSerializable(typeof(PropertiesAnswer))]
[JsonSerializable(typeof(MapBody))]
[JsonSerializable(typeof(NamesBody))]
[JsonSerializable(typeof(ValueBody))]
[JsonSerializable(typeof(ValueAnswer))]
[JsonSerializable(typeof(ValuesAnswer))]
[JsonSerializable(typeof(MemoryValueAnswer))]
[JsonSerializable(typeof(Memory.WriteAnswer))]
internal sealed partial class SymbolJson : JsonSerializerContext;
