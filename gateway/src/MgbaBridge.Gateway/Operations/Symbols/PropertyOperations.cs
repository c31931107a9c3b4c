using System.Buffers;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Symbols;

/// <summary>The property map of a game: names, locations and types of its values.</summary>
internal static class PropertyOperations
{
    private static readonly Resource Resource = new("Names", SymbolJson.Default);
    private const string Path = "/v2/properties";
    private const string Example = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","properties":[{"name":"frames","at":"0x02000008","type":"u32"}]}""";

    public static HandlerOperation<NoParameters, PropertiesAnswer> List { get; } = new(Resource, "properties.list", HttpMethods.Get, Path, Access.Read)
    {
        Summary = "The properties of the game",
        Request = Parameters.None,
        Run = static (invocation, _) => GameContext.WithAsync(invocation, static game => ResultOf(game, ResponseOf(game, game.Crc32, game.Names.Properties))),
        ResponseExample = Example,
    };

    public static HandlerOperation<ReadOnlySequence<byte>, PropertiesAnswer> Load { get; } = new(Resource, "properties.load", HttpMethods.Put, Path, Access.Manage)
    {
        Summary = "Load a property map",
        Description = "The names, locations and types of a game's values. It replaces an earlier map for the same game and lasts until the gateway ends; "
            + "`Bridge:Symbols:Folder` names a folder that is read at each start. An error names line and column, and the earlier map stays.",
        Body = Content.Json<MapBody>("""{"properties":{"frames":{"type":"u32","at":"0x02000008"},"node.value":{"type":"u32","at":"0x020000B0","chain":[8,0]},"greeting":{"type":"text","length":16,"at":"wram:0xA0"}}}""") with { IsFile = true },
        Request = Parameters.Of(Parameter.Bytes("file", "The JSON of the map."), static bytes => bytes ?? default),
        Run = static (invocation, file) => GameContext.LoadAsync(
            invocation, file, PropertyMapFile.Read, static (map, game) => map.Crc32 ?? game.Crc32, static (names, map) => names with { Properties = map },
            static (game, map) => ResultOf(game, ResponseOf(game, map.Crc32 ?? game.Crc32, map))),
        ResponseExample = Example,
        Statuses = [(FailureKind.MemoryFull, "names take as much memory, or are of as many games, as the settings allow.")],
    };

    public static HandlerOperation<NoParameters, PropertiesAnswer> Delete { get; } = new(Resource, "properties.delete", HttpMethods.Delete, Path, Access.Manage)
    {
        Summary = "Delete the property map of the game",
        Request = Parameters.None,
        Run = static (invocation, _) => GameContext.WithAsync(invocation, game =>
        {
            invocation.Get<SymbolStore>().Change(game.Crc32, static names => names with { Properties = null });
            return ResultOf(game, ResponseOf(game, game.Crc32, null));
        }),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","crc32":"0x52258CD4","properties":[]}""",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Load, Delete];

    private static PropertiesAnswer ResponseOf(GameContext game, uint crc32, PropertyMap? map) => new(game.Frame, game.Epoch, Hex.Of(crc32), [.. (map?.Properties ?? []).Select(property =>
        new PropertyAnswer(property.Name, property.At.ToString(), property.Type.Kind, property.Chain.Count > 0 ? property.Chain : null))]);

    private static Result<PropertiesAnswer> ResultOf(GameContext game, PropertiesAnswer response) => Result.At(response, game.Frame, game.Epoch);
}
