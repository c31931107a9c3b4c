using System.Globalization;
using MgbaBridge.Engines.Packs;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>Where the player is and what is open, by the game's pack.</summary>
/// <param name="Free">Whether keys move the player now.</param>
/// <param name="TextBox">The text of the open text box; absent when none is open.</param>
/// <param name="Menu">The open menu or question; absent when none is open.</param>
/// <param name="Map">The map and what is on it; absent while the player is on none.</param>
/// <param name="Reached">The milestones of the game that this agent has reached since it looked last; absent when there are none.</param>
internal sealed record SceneAnswer(bool Free, string? TextBox, MenuAnswer? Menu, MapAnswer? Map, IReadOnlyList<string>? Reached)
{
    /// <summary>Describes a place.</summary>
    public static SceneAnswer Of(GameScene scene, GamePack pack, IReadOnlyList<string> reached) => new(
        scene.IsFree, scene.TextBox, scene.Menu is { } menu ? new MenuAnswer(menu.Declared.Name, menu.Declared.Options, menu.Option) : null, scene.Place is { } place ? MapAnswer.Of(place, pack) : null,
        reached.Count > 0 ? reached : null);
}

/// <summary>A map, and what is on it.</summary>
/// <param name="Name">Its name, or its number.</param>
/// <param name="X">The player's position from left to right, in the game's units.</param>
/// <param name="Y">From top to bottom.</param>
/// <param name="Rows">The ground around the player, row after row: . can be walked on, # not, @ the player, > an exit, a to z the things with that mark.</param>
/// <param name="Left">The position of the left edge of the first column.</param>
/// <param name="Top">The position of the top edge of the first row.</param>
/// <param name="Cell">How many units a column and a row have.</param>
/// <param name="Things">The things on this map, from the nearest on.</param>
/// <param name="Exits">The ways to other maps.</param>
internal sealed record MapAnswer(
    string Name, int X, int Y, IReadOnlyList<string> Rows, int Left, int Top, int Cell, IReadOnlyList<ThingAnswer> Things, IReadOnlyList<ExitAnswer> Exits)
{
    private const int MaxColumns = 31;
    private const int MaxRows = 21;
    private const int MaxThings = 50;
    private const char Wall = '#';
    private const char Ground = '.';
    private const char Exit = '>';
    private const char Player = '@';

    /// <summary>Describes a place.</summary>
    public static MapAnswer Of(ScenePlace place, GamePack pack)
    {
        var ground = place.Ground;
        var (left, columns) = Window(ground.Left, ground.Width, ground.Cell, place.X, MaxColumns);
        var (top, rows) = Window(ground.Top, ground.Height, ground.Cell, place.Y, MaxRows);
        var picture = new char[rows, columns];
        for (var row = 0; row < rows; row++)
        {
            for (var column = 0; column < columns; column++)
            {
                picture[row, column] = ground.IsBlocked(((left - ground.Left) / ground.Cell) + column, ((top - ground.Top) / ground.Cell) + row) ? Wall : Ground;
            }
        }

        foreach (var exit in place.Exits)
        {
            for (var y = Math.Max(exit.Area.Up, top); y <= exit.Area.Down && y < top + (rows * ground.Cell); y++)
            {
                for (var x = Math.Max(exit.Area.Left, left); x <= exit.Area.Right && x < left + (columns * ground.Cell); x++)
                {
                    Set(x, y, Exit);
                }
            }
        }

        SceneThing[] things = [.. place.Things.OrderBy(thing => Math.Abs(thing.X - place.X) + Math.Abs(thing.Y - place.Y)).Take(MaxThings)];
        for (var index = things.Length - 1; index >= 0; index--)
        {
            Set(things[index].X, things[index].Y, MarkOf(index));
        }

        Set(place.X, place.Y, Player);
        return new MapAnswer(
            NameOf(pack, place.Map), place.X, place.Y, [.. Enumerable.Range(0, rows).Select(row => string.Concat(Enumerable.Range(0, columns).Select(column => picture[row, column])))],
            left, top, ground.Cell, [.. things.Select((thing, index) => new ThingAnswer(MarkOf(index).ToString(), thing.Name, thing.X, thing.Y))],
            [.. place.Exits.Select(exit => new ExitAnswer(NameOf(pack, exit.To), exit.Area.Left, exit.Area.Up, exit.Area.Right, exit.Area.Down))]);

        void Set(int x, int y, char mark)
        {
            var (row, column) = ((y - top) / ground.Cell, (x - left) / ground.Cell);
            if (x >= left && y >= top && row < rows && column < columns)
            {
                picture[row, column] = mark;
            }
        }

        static char MarkOf(int index) => (char)('a' + Math.Min(index, 25));
    }

    /// <summary>The name of a map, or its number.</summary>
    public static string NameOf(GamePack pack, long map) =>
        pack.Maps.TryGetValue(map.ToString(CultureInfo.InvariantCulture), out var name) ? name : map.ToString(CultureInfo.InvariantCulture);

    // of more cells than are shown, those around the player
    private static (int First, int Count) Window(int edge, int cells, int cell, int player, int most)
    {
        var at = Math.Clamp((player - edge) / cell, 0, cells - 1);
        var first = Math.Clamp(at - (most / 2), 0, Math.Max(0, cells - most));
        return (edge + (first * cell), Math.Min(cells, most));
    }
}

/// <summary>A thing on the map.</summary>
/// <param name="Mark">Its mark in the rows.</param>
/// <param name="Name">Its name.</param>
/// <param name="X">Its position from left to right.</param>
/// <param name="Y">From top to bottom.</param>
internal sealed record ThingAnswer(string Mark, string Name, int X, int Y);

/// <summary>A way to another map: the positions that lead there.</summary>
/// <param name="To">The map to which it leads.</param>
/// <param name="Left">The first position from left to right.</param>
/// <param name="Top">The first from top to bottom.</param>
/// <param name="Right">The last from left to right.</param>
/// <param name="Bottom">The last from top to bottom.</param>
internal sealed record ExitAnswer(string To, int Left, int Top, int Right, int Bottom);

/// <summary>An open menu or question.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Options">Its options.</param>
/// <param name="Selected">The option that is selected.</param>
internal sealed record MenuAnswer(string Name, IReadOnlyList<string> Options, string? Selected);
