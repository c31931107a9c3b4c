using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>Symbols: the names of locations that a linker wrote.</summary>
internal static class SymbolOperations
{
    private const string Tag = "Names";
    private const string Path = "/v2/symbols";
    private const int MaxPage = 10_000;
    private const string Example = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","format":"elf","count":1,"symbols":[{"name":"box_x","location":"0x03000040","size":4}]}""";

    public static HandlerOperation<(string Contains, Page Page), SymbolsAnswer> List { get; } = new("symbols.list", HttpMethods.Get, Path, Access.Read)
    {
        Tag = Tag,
        Summary = "The symbols of the game",
        Request = Parameters.Of(
            Parameter.Text("contains", "Only names that have this text in them, in capitals or not.", minLength: 0).Or(""),
            Page.OffsetParameter,
            Page.LimitParameter(MaxPage),
            static (contains, offset, limit) => (contains, new Page(offset, limit))),
        Run = static (context, request) => GameContext.WithAsync(context, game => ResultOf(game, ResponseOf(game, game.Names.Symbols, request.Contains, request.Page))),
        Response = SymbolJson.Default,
        ResponseExample = Example,
    };

    public static EndpointOperation Load { get; } = new("symbols.load", HttpMethods.Put, Path, Access.Manage, LoadAsync)
    {
        Tag = Tag,
        Summary = "Load the symbols of the game",
        Json = SymbolJson.Default,
        Description = "An ELF file (32 bits, little-endian), a map of GNU ld, or a `.sym` list as RGBDS, no$gba and `nm` write it. They replace earlier ones, belong to the open game (by its CRC32), "
            + "and last until the gateway ends; `Bridge:Symbols:Folder` names a folder that is read at each start.",
        Body = Content.Bytes(),
        Contents = [Content.Json<SymbolsAnswer>(Example)],
        OtherResponses = [(507, "Names take as much memory, or are of as many games, as the settings allow.")],
    };

    public static HandlerOperation<NoParameters, SymbolsAnswer> Delete { get; } = new("symbols.delete", HttpMethods.Delete, Path, Access.Manage)
    {
        Tag = Tag,
        Summary = "Delete the symbols of the game",
        Request = Parameters.None,
        Run = static (context, _) => GameContext.WithAsync(context, game =>
        {
            context.Single<SymbolStore>().Change(game.Crc32, static names => names with { Symbols = null });
            return ResultOf(game, ResponseOf(game, null, "", default));
        }),
        Response = SymbolJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","count":0,"symbols":[]}""",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Load, Delete];

    private static Task LoadAsync(HttpContext http) => GameContext.LoadAsync(
        http, SymbolFile.Read, static (_, game) => game.Crc32, static (names, symbols) => names with { Symbols = symbols }, (game, symbols) =>
        {
            Headers.SetFrame(http.Response, game.Frame, game.Epoch);
            return JsonBody.WriteAsync(http, ResponseOf(game, symbols, http.Request.Query["contains"].ToString(), Page.First), SymbolJson.Default.SymbolsAnswer);
        });

    private static SymbolsAnswer ResponseOf(GameContext game, SymbolTable? table, string text, Page page)
    {
        Symbol[] found = [.. (table?.All ?? []).Where(symbol => symbol.Name.Contains(text, StringComparison.OrdinalIgnoreCase))];
        SymbolAnswer[] shown = [.. found.Skip(page.Offset).Take(page.Limit).Select(symbol => new SymbolAnswer(symbol.Name, symbol.Location, symbol.Size > 0 ? symbol.Size : null))];
        return new SymbolsAnswer(game.Frame, game.Epoch, Hex.Of(game.Crc32), table?.Format, found.Length, page.Next(shown.Length, found.Length), shown);
    }

    private static OperationResult<SymbolsAnswer> ResultOf(GameContext game, SymbolsAnswer response) => new OperationResult<SymbolsAnswer>(response, null).At(game.Frame, game.Epoch);
}

/// <summary>The JSON of symbols, properties and values.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(JsonElement))]
[JsonSerializable(typeof(SymbolsAnswer))]
[JsonSerializable(typeof(PropertiesAnswer))]
[JsonSerializable(typeof(MapBody))]
[JsonSerializable(typeof(ValueAnswer))]
[JsonSerializable(typeof(ValuesAnswer))]
[JsonSerializable(typeof(MemoryValueAnswer))]
internal sealed partial class SymbolJson : JsonSerializerContext;
