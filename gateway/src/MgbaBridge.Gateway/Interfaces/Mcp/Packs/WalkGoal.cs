using System.Globalization;
using MgbaBridge.Engines.Packs;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Packs;

/// <summary>Where a walk leads: a position, a thing, or another map.</summary>
/// <param name="Name">As it was written.</param>
/// <param name="Map">The number of its map; null for the map on which the player is.</param>
/// <param name="Position">The position, or null.</param>
/// <param name="Thing">The name of the thing, or null.</param>
internal sealed record WalkGoal(string Name, long? Map, (int X, int Y)? Position, string? Thing)
{
    private const int MaxShown = 40;

    /// <summary>What a text means in a game.</summary>
    /// <exception cref="ToolException">It means nothing there.</exception>
    public static WalkGoal Of(string text, GamePack pack, ScenePlace place)
    {
        var name = text.Trim();
        if (name.Trim('(', ')', '[', ']').Split([',', ' '], StringSplitOptions.RemoveEmptyEntries) is [var across, var down]
            && int.TryParse(across, CultureInfo.InvariantCulture, out var x) && int.TryParse(down, CultureInfo.InvariantCulture, out var y))
        {
            return new WalkGoal(name, null, (x, y), null);
        }

        if (place.Things.FirstOrDefault(thing => Is(thing.Name, name)) is { } here)
        {
            return new WalkGoal(here.Name, null, null, here.Name);
        }

        if (pack.Maps.FirstOrDefault(map => Is(map.Value, name) || map.Key == name) is { Key: { } number } && long.TryParse(number, CultureInfo.InvariantCulture, out var map))
        {
            return new WalkGoal(name, map, null, null);
        }

        if (place.Exits.FirstOrDefault(exit => MapAnswer.NameOf(pack, exit.To) == name) is { } way)
        {
            return new WalkGoal(name, way.To, null, null);
        }

        if (pack.Things.Find(thing => thing is { List: null, Map: not null } && Is(thing.Name, name)) is { } elsewhere)
        {
            return elsewhere.Map == place.Map
                ? throw new ToolException($"{elsewhere.Name} is not there now.", "call observe, which lists what is there.")
                : new WalkGoal(elsewhere.Name, elsewhere.Map, null, elsewhere.Name);
        }

        string[] known = [.. place.Things.Select(thing => thing.Name), .. pack.Maps.Values, .. pack.Things.Where(thing => thing.List is null && thing.Map != place.Map).Select(thing => thing.Name)];
        throw new ToolException(
            $"There is no {(name.Length > 80 ? name[..80] : name)} to go to. Expected a position on this map, such as \"{place.X},{place.Y}\", or one of {string.Join(", ", known.Distinct().Take(MaxShown))}.",
            "call it again with one of these.");
    }

    /// <summary>The areas of which one is to be reached on this map, and the side to which the player looks there.</summary>
    /// <param name="place">Where the player is.</param>
    /// <param name="talks">Whether it is to be talked to.</param>
    public IReadOnlyList<(PackBox Area, PackSide? Side)> AreasIn(ScenePlace place, bool talks)
    {
        var cell = place.Ground.Cell;
        if (Position is { } position)
        {
            return [(Around(position.X, position.Y, cell / 4), null)];
        }

        if (place.Things.FirstOrDefault(thing => thing.Name == Thing) is not { } thing)
        {
            return [];
        }

        if (!talks && thing.Declared is { Talk: null, Blocks: null })
        {
            return [(Around(thing.X, thing.Y, cell / 2), null)];
        }

        var distance = thing.Declared.Talk ?? cell;
        return [.. (thing.Declared.Sides ?? PackSides.All).Select(side =>
        {
            // the player looks to the side on which the thing is
            var (x, y) = side.Step();
            return (Around(thing.X - (x * distance), thing.Y - (y * distance), cell / 4), (PackSide?)side);
        })];
    }

    private static PackBox Around(int x, int y, int more) => new(x - more, y - more, x + more, y + more);

    private static bool Is(string one, string other) => one.Equals(other, StringComparison.OrdinalIgnoreCase);
}
