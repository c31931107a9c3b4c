using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Engines.Packs;

/// <summary>Where a player can be: the cells of a map, and what is in the way.</summary>
/// <param name="left">The position of the left edge.</param>
/// <param name="top">The position of the top edge.</param>
/// <param name="width">How many cells there are from left to right.</param>
/// <param name="height">From top to bottom.</param>
/// <param name="cell">How many units a cell has.</param>
/// <param name="blocked">The cells that are in the way, row after row; empty for none.</param>
/// <param name="player">Who walks.</param>
/// <param name="hasOpenEdge">Whether its body can be beyond the edge.</param>
/// <param name="things">The things on the map.</param>
public sealed class WalkGround(int left, int top, int width, int height, int cell, bool[] blocked, PackPlayer player, bool hasOpenEdge, IReadOnlyList<SceneThing> things)
{
    private readonly SceneThing[] _blocking = [.. things.Where(static thing => thing.Declared.Blocks is not null)];
    private readonly SceneThing[] _avoided = [.. things.Where(static thing => thing.Declared.Avoid is not null)];

    /// <summary>The position of the left edge.</summary>
    public int Left => left;

    /// <summary>The position of the top edge.</summary>
    public int Top => top;

    /// <summary>How many cells there are from left to right.</summary>
    public int Width => width;

    /// <summary>How many cells there are from top to bottom.</summary>
    public int Height => height;

    /// <summary>How many units a cell has.</summary>
    public int Cell => cell;

    /// <summary>Whether things are in the way of this path, or near to it, that can be elsewhere in another frame.</summary>
    public bool HasMoving { get; } = things.Any(static thing => thing.Declared is { X.Place: not null } or { Y.Place: not null } or { List: not null });

    /// <summary>Whether a position is on this map.</summary>
    public bool Has(int x, int y) => x >= left && y >= top && x < left + (width * cell) && y < top + (height * cell);

    /// <summary>Whether a cell is in the way.</summary>
    public bool IsBlocked(int column, int row) => column < 0 || row < 0 || column >= width || row >= height ? !hasOpenEdge : blocked.Length > 0 && blocked[(row * width) + column];

    /// <summary>Whether the player can be at a position.</summary>
    public bool IsFree(int x, int y)
    {
        var body = player.Body;
        for (var row = Cells(y - body.Up - top); row <= Cells(y + body.Down - top); row++)
        {
            for (var column = Cells(x - body.Left - left); column <= Cells(x + body.Right - left); column++)
            {
                if (IsBlocked(column, row))
                {
                    return false;
                }
            }
        }

        return !Array.Exists(_blocking, thing => IsNear(thing, thing.Declared.Blocks!.Value, x, y));
    }

    /// <summary>Whether the player should not be at a position.</summary>
    public bool IsAvoided(int x, int y) => Array.Exists(_avoided, thing => IsNear(thing, thing.Declared.Avoid!.Value, x, y));

    private int Cells(int units) => (int)Math.Floor((double)units / cell);

    private static bool IsNear(SceneThing thing, PackSize size, int x, int y) => Math.Abs(x - thing.X) < size.X && Math.Abs(y - thing.Y) < size.Y;
}
