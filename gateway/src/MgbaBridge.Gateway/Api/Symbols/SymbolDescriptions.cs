using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>What the API's document says about <see cref="SymbolEndpoints"/>, <see cref="PropertyEndpoints"/> and <see cref="ValueEndpoints"/>.</summary>
internal static class SymbolDescriptions
{
    private const string Tag = "Names";
    private const string SymbolsExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","format":"elf","count":1,"symbols":[{"name":"box_x","location":"0x03000040","size":4}]}""";
    private const string PropertiesExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","properties":[{"name":"frames","at":"0x02000008","type":"u32"}]}""";
    private const string ValueExample = """{"frame":4711,"epoch":"9f3a01c2","name":"frames","location":"0x02000008","value":4708}""";

    private static readonly (int Status, string When) NoName = (404, "The game has no property and no symbol of this name.");
    private static readonly (int Status, string When) NoRoom = (507, "Names take as much memory, or are of as many games, as the settings allow.");

    public static OperationDescription ListSymbols { get; } = new(Tag, "The symbols of the game")
    {
        Inputs =
        [
            new Input("contains", "Only names that have this text in them, in capitals or not.", ""),
            .. Page.Inputs(SymbolEndpoints.MaxPage),
        ],
        Answers = [Content.Json<SymbolsAnswer>(SymbolsExample)],
    };

    public static OperationDescription LoadSymbols { get; } = new(Tag, "Load the symbols of the game")
    {
        Description = "An ELF file (32 bits, little-endian), a map of GNU ld, or a `.sym` list as RGBDS, no$gba and `nm` write it. They replace earlier ones, are kept for the game that is open (by its CRC32), "
            + "and are gone when the gateway ends; `Bridge:Symbols:Folder` names a folder that is read at each start.",
        Body = Content.Bytes(),
        Answers = [Content.Json<SymbolsAnswer>(SymbolsExample)],
        OtherResponses = [NoRoom],
    };

    public static OperationDescription ForgetSymbols { get; } = new(Tag, "Forget the symbols of the game")
    {
        Answers = [Content.Json<SymbolsAnswer>("""{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","count":0,"symbols":[]}""")],
    };

    public static OperationDescription ListProperties { get; } = new(Tag, "The properties of the game") { Answers = [Content.Json<PropertiesAnswer>(PropertiesExample)] };

    public static OperationDescription LoadProperties { get; } = new(Tag, "Load a property map")
    {
        Description = "What the values of a game are called, where they are and what they are. It replaces an earlier one for the same game, and is gone when the gateway ends; "
            + "`Bridge:Symbols:Folder` names a folder that is read at each start. What is wrong is told with line and column, and the earlier map stays.",
        Body = Content.Json<MapBody>("""{"properties":{"frames":{"type":"u32","at":"0x02000008"},"node.value":{"type":"u32","at":"0x020000B0","chain":[8,0]},"greeting":{"type":"text","length":16,"at":"wram:0xA0"}}}"""),
        Answers = [Content.Json<PropertiesAnswer>(PropertiesExample)],
        OtherResponses = [NoRoom],
    };

    public static OperationDescription ForgetProperties { get; } = new(Tag, "Forget the property map of the game")
    {
        Answers = [Content.Json<PropertiesAnswer>("""{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","properties":[]}""")],
    };

    public static OperationDescription ReadMany { get; } = new(Tag, "Read values by name, all from one frame")
    {
        Description = "1 to 256 names of properties, parts of them (`edges[3]`, `node.tag`) and symbols (as u8, u16 or u32, by their size). Pointers are followed in that same frame.",
        Body = Content.Json<NamesBody>("""{"names":["frames","node.value"]}"""),
        Answers = [Content.Json<ValuesAnswer>("""{"frame":4711,"epoch":"9f3a01c2","values":[{"name":"frames","location":"0x02000008","value":4708},{"name":"node.value","location":"0x020000E0","value":12562532}]}""")],
        OtherResponses = [NoName, (409, "A pointer went elsewhere each time it was followed.")],
    };

    public static OperationDescription Read { get; } = new(Tag, "Read a value by name")
    {
        Description = "A property, a part of one (`edges[3]`, `node.tag`), or a symbol, perhaps with an offset (`player+0x10`). What a symbol is, the query says.",
        Inputs = [new Input("type", "Of a symbol: u8, s8, u16, s16, u32, s32, text or bytes. By its size unless given, else u32.", "u32"), ValueTypeQuery.Count, ValueTypeQuery.Endian, ValueTypeQuery.Length, ValueTypeQuery.Table],
        Answers = [Content.Json<ValueAnswer>(ValueExample)],
        OtherResponses = [NoName, (409, "A pointer went elsewhere each time it was followed.")],
    };

    public static OperationDescription Write { get; } = new(Tag, "Write a value by name")
    {
        Description = "As when reading. Pointers are looked at again in the frame of the write; if one points elsewhere by then, it is followed anew.",
        Inputs = [.. Read.Inputs, Input.Holder],
        Body = Content.Json<ValueBody>("""{"value":5}"""),
        Answers = [Content.Json<ValueAnswer>("""{"frame":4711,"epoch":"9f3a01c2","name":"frames","location":"0x02000008"}""")],
        OtherResponses = [NoName, (409, "A pointer on the way is 0, or went elsewhere each time it was followed.")],
    };
}
