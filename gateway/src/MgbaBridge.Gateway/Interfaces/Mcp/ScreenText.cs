using System.Text;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Engines.Video;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>
/// The text on the screen, of games whose tiles are letters: the property map has a text table named <c>glyphs</c> that says which tile is which
/// letter. Tiles without a letter are spaces.
/// </summary>
internal static class ScreenText
{
    /// <summary>The text table's name.</summary>
    public const string TableName = "glyphs";

    private const int GbaVideoMemory = 0x06000000;
    private const int MaxGlyphs = 256;

    /// <summary>The lines of the screen that have a letter; null when the game has no such table or shows no tiles.</summary>
    /// <exception cref="ToolException">Video memory cannot be read.</exception>
    public static async Task<IReadOnlyList<string>?> ReadAsync(ToolCall call, GameContext game)
    {
        if (game.Names.Properties?.TextTables.GetValueOrDefault(TableName) is not { } glyphs)
        {
            return null;
        }

        var (frame, failure) = await VideoReader.ReadAsync(call.Emulator, call.Cancelled);
        return failure is not null ? throw NextSteps.Of(failure, call.Emulator) : Lines(frame!, glyphs);
    }

    /// <summary>The lines of all backgrounds that are shown, those in front first.</summary>
    internal static IReadOnlyList<string>? Lines(VideoFrame frame, TextTable glyphs)
    {
        string[] lines = [.. frame.Maps.Where(map => map is { IsEnabled: true, Kind: VideoMapKind.Text or VideoMapKind.Window, Cells.Count: > 0 })
            .OrderBy(map => map.Priority).SelectMany(map => Lines(frame, map, glyphs)).Distinct()];
        return lines.Length > 0 ? lines : null;
    }

    private static IEnumerable<string> Lines(VideoFrame frame, VideoMap map, TextTable glyphs)
    {
        const int Size = VideoFrame.TileSize;
        var (columns, rows) = (map.Width / Size, map.Height / Size);
        var isWindow = map.Kind == VideoMapKind.Window;
        var (left, top) = isWindow ? (0, 0) : (map.X / Size, map.Y / Size);
        var (width, height) = isWindow ? ((frame.ScreenWidth - map.X) / Size, (frame.ScreenHeight - map.Y) / Size) : (frame.ScreenWidth / Size, frame.ScreenHeight / Size);
        for (var y = 0; y < height; y++)
        {
            var line = new StringBuilder();
            for (var x = 0; x < width; x++)
            {
                line.Append(LetterOf(frame, map, map.Cells[((top + y) % rows * columns) + ((left + x) % columns)], glyphs));
            }

            if (line.ToString().Trim() is { Length: > 0 } text)
            {
                yield return text;
            }
        }
    }

    private static string LetterOf(VideoFrame frame, VideoMap map, VideoCell cell, TextTable glyphs)
    {
        var tile = frame is GbVideo ? cell.Tile % MaxGlyphs : cell.Tile - (int)((map.TileBase - GbaVideoMemory) / (VideoFrame.TilePixels * map.Bits / 8));
        return tile is < 0 or >= MaxGlyphs || glyphs.Decode([(byte)tile]) is "" or ['{', _, _, '}'] ? " " : glyphs.Decode([(byte)tile]);
    }
}
