using MgbaBridge.Engines.Video;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Operations.Video;

/// <summary>Video memory as JSON: palettes, tiles, backgrounds and sprites.</summary>
internal static class VideoOperations
{
    /// <summary>The group.</summary>
    internal static readonly Resource Resource = new("Video", VideoJson.Default);

    /// <summary>The route value of a background.</summary>
    internal const string MapRoute = "map";

    private const string MapExample = """{"number":0,"kind":"text","enabled":true,"width":256,"height":256,"bits":4,"priority":0,"x":0,"y":0,"wraps":true,"mosaic":false,"tileBase":"0x06000000","mapBase":"0x06004000"}""";

    /// <summary>The number of a background.</summary>
    internal static Parameter<int> Number { get; } = Parameter.Integer("map", 0, int.MaxValue, "A background: 0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy.") with { PathName = MapRoute, Example = "2" };

    /// <summary>There is no such background.</summary>
    internal static StatusNote NoMap => (FailureKind.NoSuchMap, "this console has no background of this number.");

    public static HandlerOperation<NoParameters, PalettesAnswer> Palettes { get; } = new(Resource, "video.palettes", HttpMethods.Get, "/v2/video/palettes", Access.Read)
    {
        Summary = "The palettes",
        Request = Parameters.None,
        Run = static (invocation, _) => ReadAsync<PalettesAnswer>(invocation, static video => PalettesAnswer.Of(video)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","platform":"gb","palettes":[{"number":0,"sprites":false,"colors":["#FFFFFF","#ADADAD","#525252","#000000"]}]}""",
    };

    public static HandlerOperation<TilesRequest, TilesAnswer> Tiles { get; } = new(Resource, "video.tiles", HttpMethods.Get, "/v2/video/tiles", Access.Read)
    {
        Summary = "Tiles, as the palette's colours of their pixels",
        Description = "Numbered from the start of video memory: 0 to 3071 (GBA, 4 bits), 0 to 1535 (GBA, 8 bits), 0 to 383 (Game Boy), 384 to 767 for the second bank (Game Boy Color).",
        Request = Parameters.Of(TileParameters.Bits, TileParameters.First, TileParameters.Count, static (bits, first, count) => new TilesRequest(bits, first, count)),
        Run = static (invocation, request) => ReadAsync<TilesAnswer>(invocation, video => TileParameters.Range(video, request, out var bits, out var first, out var count) is { } wrong
            ? Failure.BadRequest(wrong)
            : TilesAnswer.Of(video, bits, first, count)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","bits":4,"first":0,"count":1,"pixels":"AAECAwQFBgcAAQIDBAUGBwABAgMEBQYHAAECAwQFBgcAAQIDBAUGBwABAgMEBQYHAAECAwQFBgcAAQIDBAUGBw=="}""",
    };

    public static HandlerOperation<NoParameters, MapsAnswer> Maps { get; } = new(Resource, "video.maps", HttpMethods.Get, "/v2/video/maps", Access.Read)
    {
        Summary = "The backgrounds, without their cells",
        Request = Parameters.None,
        Run = static (invocation, _) => ReadAsync<MapsAnswer>(invocation, static video => MapsAnswer.Of(video)),
        ResponseExample = $$"""{"frame":4711,"epoch":"9f3a01c2","platform":"gba","mode":0,"on":true,"maps":[{{MapExample}}]}""",
    };

    public static HandlerOperation<int, MapCellsAnswer> Map { get; } = new(Resource, "video.map", HttpMethods.Get, "/v2/video/maps/{map}", Access.Read)
    {
        Summary = "A background with its tile map",
        Description = "0 to 3 on the GBA; 0, and 1 for the window, on a Game Boy.",
        Request = Parameters.Of(Number),
        Run = static (invocation, number) => ReadAsync<MapCellsAnswer>(invocation, video => video.Map(number) is { } map
            ? MapCellsAnswer.Of(video, map)
            : NoMapAmong(video)),
        ResponseExample = $$"""{"frame":4711,"epoch":"9f3a01c2","map":{{MapExample}},"columns":32,"rows":32,"tiles":[1,2],"palettes":[0,0],"flips":[0,1]}""",
        Statuses = [NoMap],
    };

    public static HandlerOperation<NoParameters, SpritesAnswer> Sprites { get; } = new(Resource, "video.sprites", HttpMethods.Get, "/v2/video/sprites", Access.Read)
    {
        Summary = "The sprites",
        Request = Parameters.None,
        Run = static (invocation, _) => ReadAsync<SpritesAnswer>(invocation, static video => SpritesAnswer.Of(video)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","platform":"gba","sprites":[{"number":0,"onScreen":true,"mode":"normal","x":104,"y":72,"width":16,"height":16,"tile":2048,"bits":4,"palette":16,"priority":0,"flipX":false,"flipY":false,"mosaic":false,"doubleSize":false}]}""",
    };

    public static HandlerOperation<NoParameters, TextAnswer> Text { get; } = new(Resource, "video.text", HttpMethods.Get, "/v2/video/text", Access.Read)
    {
        Summary = "The text that the backgrounds show",
        Description = $"For games whose tiles are letters: the text table `{ScreenText.TableName}` of the property map says which tile is which letter, by its number in its character block, 00 to FF. "
            + "A line is a row of tiles with at least one letter; tiles without a letter are spaces. Backgrounds in front come first.",
        Request = Parameters.None,
        Run = static (invocation, _) => GameContext.WithAsync(invocation, game => TextAsync(invocation, game)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","lines":["NEW GAME","OPTIONS"]}""",
        Statuses = [(FailureKind.NoSuchName, "the property map of this game has no such text table.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Palettes, Tiles, Maps, Map, Sprites, Text, .. VideoPictureOperations.All];

    private static async ValueTask<Result<TextAnswer>> TextAsync(Invocation invocation, GameContext game) =>
        game.Names.Properties?.TextTables.GetValueOrDefault(ScreenText.TableName) is { } glyphs
            ? await ReadAsync<TextAnswer>(invocation, video => new TextAnswer(video.Frame, video.Epoch, ScreenText.Of(video, glyphs)))
            : new Failure(FailureKind.NoSuchName, $"The property map of this game has no text table {ScreenText.TableName}.", new NextStep(PropertyOperations.Load, "brings a property map"));

    /// <summary>There is no background of the number that was asked for.</summary>
    internal static Failure NoMapAmong(VideoFrame video) => new Failure(FailureKind.NoSuchMap, $"Backgrounds of this console have numbers from 0 to {video.Maps.Count - 1}.");

    /// <summary>Reads the video memory and answers of it.</summary>
    internal static async ValueTask<Result<TAnswer>> ReadAsync<TAnswer>(Invocation invocation, Func<VideoFrame, Result<TAnswer>> answer)
    {
        var (video, failure) = await VideoReader.ReadAsync(invocation.Emulator, invocation.Cancelled);
        return video is null ? Failure.Of(failure!) : answer(video).At(video.Frame, video.Epoch);
    }
}
