using System.Buffers;
using System.Text.Json.Serialization;
using System.Text.Json;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Symbols;

/// <summary>Symbols: the names of locations that a linker wrote.</summary>
internal static class SymbolOperations
{
    private static readonly Resource Resource = new("Names", SymbolJson.Default);
    private const string Path = "/v2/symbols";
    private const int MaxPage = 10_000;
    private const string Example = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","format":"elf","count":1,"symbols":[{"name":"box_x","location":"0x03000040","size":4}]}""";

    public static HandlerOperation<(string Contains, Page Page), SymbolsAnswer> List { get; } = new(Resource, "symbols.list", HttpMethods.Get, Path, Access.Read)
    {
        Summary = "The symbols of the game",
        Request = Parameters.Of(
            Parameter.Text("contains", "Only names that have this text in them, in capitals or not.", minLength: 0).Or(""),
            Page.OffsetParameter,
            Page.LimitParameter(MaxPage),
            static (contains, offset, limit) => (contains, new Page(offset, limit))),
        Run = static (invocation, request) => GameContext.WithAsync(invocation, game => ResultOf(game, ResponseOf(game, game.Names.Symbols, request.Contains, request.Page))),
        ResponseExample = Example,
    };

    public static HandlerOperation<ReadOnlySequence<byte>, SymbolsAnswer> Load { get; } = new(Resource, "symbols.load", HttpMethods.Put, Path, Access.Manage)
    {
        Summary = "Load the symbols of the game",
        Description = "An ELF file (32 bits, little-endian), a map of GNU ld or of GBDK's linker, GBDK's `.noi`, or a `.sym` list as RGBDS, WLA-DX, armips, no$gba, `nm` and the decompilations of GBA games write it. "
            + "Names of C++ are as in the source (`game::state`). A constant has a value and no location; it can only be read. `leftOut` counts what the file has besides. "
            + "They replace earlier ones, belong to the open game (by its CRC32), and last until the gateway ends; `Bridge:Symbols:Folder` names a folder that is read at each start.",
        Request = Parameters.Of(Parameter.Bytes("file", "The file."), static bytes => bytes ?? default),
        Run = static (invocation, file) => GameContext.LoadAsync(
            invocation, file, SymbolFile.Read, static (_, game) => game.Crc32, static (names, symbols) => names with { Symbols = symbols },
            static (game, symbols) => ResultOf(game, ResponseOf(game, symbols, "", Page.First))),
        ResponseExample = Example,
        Statuses = [(FailureKind.MemoryFull, "names take as much memory, or are of as many games, as the settings allow.")],
    };

    public static HandlerOperation<NoParameters, SymbolsAnswer> Delete { get; } = new(Resource, "symbols.delete", HttpMethods.Delete, Path, Access.Manage)
    {
        Summary = "Delete the symbols of the game",
        Request = Parameters.None,
        Run = static (invocation, _) => GameContext.WithAsync(invocation, game =>
        {
            invocation.Get<SymbolStore>().Change(game.Crc32, static names => names with { Symbols = null });
            return ResultOf(game, ResponseOf(game, null, "", default));
        }),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","count":0,"symbols":[]}""",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Load, Delete];

    private static SymbolsAnswer ResponseOf(GameContext game, SymbolTable? table, string text, Page page)
    {
        var places = (table?.All ?? []).Select(symbol => new SymbolAnswer(symbol.Name, symbol.Location, symbol.Size > 0 ? symbol.Size : null, null));
        var constants = (table?.Constants ?? []).Select(constant => new SymbolAnswer(constant.Name, null, null, constant.Value));
        SymbolAnswer[] found = [.. places.Concat(constants).Where(symbol => symbol.Name.Contains(text, StringComparison.OrdinalIgnoreCase))];
        SymbolAnswer[] shown = [.. found.Skip(page.Offset).Take(page.Limit)];
        LeftOutAnswer[]? leftOut = table is { LeftOut.Count: > 0 } ? [.. table.LeftOut.Select(left => new LeftOutAnswer(left.What, left.Count))] : null;
        return new SymbolsAnswer(game.Frame, game.Epoch, Hex.Of(game.Crc32), table?.Format, found.Length, leftOut, page.Next(shown.Length, found.Length), shown);
    }

    private static Result<SymbolsAnswer> ResultOf(GameContext game, SymbolsAnswer response) => Result.At(response, game.Frame, game.Epoch);
}

/// <summary>The JSON of symbols, properties and values.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(JsonElement))]
[JsonSerializable(typeof(SymbolsAnswer))]
[JsonSerializable(typeof(PropertiesAnswer))]
[JsonSerializable(typeof(MapBody))]
[JsonSerializable(typeof(ValueAnswer))]
[JsonSerializable(typeof(ValuesAnswer))]
[JsonSerializable(typeof(MemoryValueAnswer))]
internal sealed partial class SymbolJson : JsonSerializerContext;
