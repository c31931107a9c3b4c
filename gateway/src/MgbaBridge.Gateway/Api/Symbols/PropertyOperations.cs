using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>The property map of a game: names, locations and types of its values.</summary>
internal static class PropertyOperations
{
    private const string Tag = "Names";
    private const string Path = "/v2/properties";
    private const string Example = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","properties":[{"name":"frames","at":"0x02000008","type":"u32"}]}""";

    public static HandlerOperation<NoParameters, PropertiesAnswer> List { get; } = new("properties.list", HttpMethods.Get, Path, Access.Read)
    {
        Tag = Tag,
        Summary = "The properties of the game",
        Request = Parameters.None,
        Run = static (context, _) => GameContext.WithAsync(context, static game => ResultOf(game, ResponseOf(game, game.Crc32, game.Names.Properties))),
        Response = SymbolJson.Default,
        ResponseExample = Example,
    };

    public static EndpointOperation Load { get; } = new("properties.load", HttpMethods.Put, Path, Access.Manage, LoadAsync)
    {
        Tag = Tag,
        Summary = "Load a property map",
        Json = SymbolJson.Default,
        Description = "The names, locations and types of a game's values. It replaces an earlier map for the same game and lasts until the gateway ends; "
            + "`Bridge:Symbols:Folder` names a folder that is read at each start. An error names line and column, and the earlier map stays.",
        Body = Content.Json<MapBody>("""{"properties":{"frames":{"type":"u32","at":"0x02000008"},"node.value":{"type":"u32","at":"0x020000B0","chain":[8,0]},"greeting":{"type":"text","length":16,"at":"wram:0xA0"}}}""") with { IsFile = true },
        Contents = [Content.Json<PropertiesAnswer>(Example)],
        OtherResponses = [(507, "Names take as much memory, or are of as many games, as the settings allow.")],
    };

    public static HandlerOperation<NoParameters, PropertiesAnswer> Delete { get; } = new("properties.delete", HttpMethods.Delete, Path, Access.Manage)
    {
        Tag = Tag,
        Summary = "Delete the property map of the game",
        Request = Parameters.None,
        Run = static (context, _) => GameContext.WithAsync(context, game =>
        {
            context.Single<SymbolStore>().Change(game.Crc32, static names => names with { Properties = null });
            return ResultOf(game, ResponseOf(game, game.Crc32, null));
        }),
        Response = SymbolJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","properties":[]}""",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Load, Delete];

    private static Task LoadAsync(HttpContext http) => GameContext.LoadAsync(
        http, PropertyMapFile.Read, static (map, game) => map.Crc32 ?? game.Crc32, static (names, map) => names with { Properties = map }, (game, map) =>
        {
            Headers.SetFrame(http.Response, game.Frame, game.Epoch);
            return JsonBody.WriteAsync(http, ResponseOf(game, map.Crc32 ?? game.Crc32, map), SymbolJson.Default.PropertiesAnswer);
        });

    private static PropertiesAnswer ResponseOf(GameContext game, uint crc32, PropertyMap? map) => new(game.Frame, game.Epoch, Hex.Of(crc32), [.. (map?.Properties ?? []).Select(property =>
        new PropertyAnswer(property.Name, property.At.ToString(), property.Type.Kind, property.Chain.Count > 0 ? property.Chain : null))]);

    private static OperationResult<PropertiesAnswer> ResultOf(GameContext game, PropertiesAnswer response) => new OperationResult<PropertiesAnswer>(response, null).At(game.Frame, game.Epoch);
}
