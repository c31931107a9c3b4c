using System.Text;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Engines.Video;

/// <summary>
/// The text on the screen, of games whose tiles are letters: the property map has a text table named <c>glyphs</c> that says which tile is which
/// letter. Tiles without a letter are spaces.
/// </summary>
public static class ScreenText
{
    /// <summary>The text table's name.</summary>
    public const string TableName = "glyphs";

    private const int MaxGlyphs = 256;

    /// <summary>The lines of all backgrounds that are shown and have a letter, those in front first; none where the game shows no tiles.</summary>
    public static IReadOnlyList<string> Of(VideoFrame frame, TextTable glyphs) =>
        [.. frame.Maps.Where(map => map is { IsEnabled: true, Kind: VideoMapKind.Text or VideoMapKind.Window, Cells.Count: > 0 })
            .OrderBy(map => map.Priority).SelectMany(map => Lines(frame, map, glyphs)).Distinct()];

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
        var tile = frame is GbVideo ? cell.Tile % MaxGlyphs : cell.Tile - (int)((map.TileBase - GbaVideo.VideoBase) / (VideoFrame.TilePixels * map.Bits / 8));
        return tile is < 0 or >= MaxGlyphs || glyphs.Decode([(byte)tile]) is not { } letter || letter is "" or ['{', _, _, '}'] ? " " : letter;
    }
}
