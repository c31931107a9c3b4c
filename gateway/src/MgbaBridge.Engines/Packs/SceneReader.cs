using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Engines.Packs;

/// <summary>Reads what a game pack speaks of: the places in a game, and the scene in their values.</summary>
public sealed class SceneReader
{
    // of the lists of a game that contradict their pack
    private const int MaxListed = 256;

    private readonly GameSymbols _names;
    private readonly GamePack _pack;
    private readonly List<(GameProperty Property, Location At)> _wanted = [];
    private readonly Dictionary<string, int> _places = new(StringComparer.Ordinal);
    private readonly Dictionary<Condition, (int Index, int Count)> _conditions = [];
    private string? _wrong;

    private SceneReader(GamePack pack, GameSymbols names)
    {
        (_pack, _names) = (pack, names);
        var (player, grid) = (pack.Player, pack.Grid);
        if (player is not null)
        {
            Add(player.X, player.Y, player.Map);
            Add(player.Present);
            Add(player.Free);
        }

        if (grid is not null)
        {
            AddList(grid.Cells, "list of numbers", static type => type is ArrayType { Item: ScalarType });
            Add(grid.Width, grid.Height, grid.Left, grid.Top, grid.First, grid.Down ?? default);
            if (grid.Free.Place is { } free)
            {
                AddList(free, "list of numbers", static type => type is ArrayType { Item: ScalarType });
            }
        }

        foreach (var thing in pack.Things)
        {
            AddListOf(thing.List, "x", "y");
            Add(thing.X, thing.Y, thing.Count ?? default);
            Add(thing.When);
            Add(thing.Unless);
        }

        foreach (var exit in pack.Exits)
        {
            AddListOf(exit.List, "x", "y", "to");
            Add(exit.Count ?? default);
            Add(exit.When);
        }

        Add(pack.Text?.Open);
        if (pack.Text?.Value is { } text)
        {
            AddList(text, "text", static type => type is TextType);
        }

        foreach (var menu in pack.Menus)
        {
            Add(menu.Open);
            Add(menu.Cursor ?? default);
        }

        pack.Milestones.ForEach(milestone => Add(milestone.When));
    }

    /// <summary>What it reads.</summary>
    public IReadOnlyList<(GameProperty Property, Location At)> Wanted => _wanted;

    /// <summary>Finds the places of a pack in a game. Returns what is wrong, or null.</summary>
    public static string? Find(GamePack pack, GameSymbols names, out SceneReader reader)
    {
        reader = new SceneReader(pack, names);
        return reader._wrong is { } wrong ? $"The game pack does not fit this game: {wrong}" : null;
    }

    /// <summary>The scene in the values of what it reads. Null with what is wrong when they contradict the pack.</summary>
    public (GameScene? Scene, string? Wrong) Read(IReadOnlyList<NamedValue> values)
    {
        var player = _pack.Player;
        var text = _pack.Text is { } box && Holds(box.Open) ? box.Value is { } value ? TextOf(values[_places[value]]) : "" : null;
        var menu = _pack.Menus.Find(menu => Holds(menu.Open)) is { } open ? new OpenMenu(open, open.Cursor is { } cursor ? Number(cursor) : null) : null;
        IReadOnlyList<PackMilestone> reached = [.. _pack.Milestones.Where(milestone => Holds(milestone.When))];
        if (player is null || !Holds(player.Present))
        {
            return (new GameScene(null, false, text, menu, reached), null);
        }

        var (x, y, map) = (Number(player.X), Number(player.Y), Number(player.Map));
        if (x is < short.MinValue or > ushort.MaxValue || y is < short.MinValue or > ushort.MaxValue)
        {
            return (null, string.Create(CultureInfo.InvariantCulture, $"The position of the player, {x}, {y}, is none: no map is that large."));
        }

        var things = _pack.Things.Where(thing => (thing.Map ?? map) == map && Holds(thing.When) && (thing.Unless is null || !Holds(thing.Unless))).SelectMany(ThingsOf).ToList();
        var exits = _pack.Exits.Where(exit => (exit.Map ?? map) == map && Holds(exit.When)).SelectMany(ExitsOf).ToList();
        var (ground, wrong) = GroundOf((int)x, (int)y, map, things, Number, place => values[_places[place]]);
        if (ground is null)
        {
            return (null, wrong);
        }

        return (new GameScene(new ScenePlace(map, (int)x, (int)y, things, exits, ground), Holds(player.Free), text, menu, reached), null);

        long Number(PackNumber number) => number.Place is { } place ? NumberPlaces.NumberOf(values[_places[place]]) : number.Value;

        bool Holds(Condition? condition)
        {
            if (condition is null)
            {
                return true;
            }

            var (index, count) = _conditions[condition];
            long[] numbers = [.. Enumerable.Range(index, count).Select(at => NumberPlaces.NumberOf(values[at]))];
            return condition.Holds(numbers, numbers);
        }

        IEnumerable<SceneThing> ThingsOf(PackThing thing) => thing.List is null
            ? [new SceneThing(thing.Name, (int)Number(thing.X), (int)Number(thing.Y), thing)]
            : Listed(thing.List, thing.Count).Select((item, index) => new SceneThing(
                string.Create(CultureInfo.InvariantCulture, $"{thing.Name} {index + 1}"), (int)(item("x") + Number(thing.X)), (int)(item("y") + Number(thing.Y)), thing));

        IEnumerable<SceneExit> ExitsOf(PackExit exit) => exit.List is null
            ? [new SceneExit(exit.To ?? map, exit.Area, exit.Key)]
            : Listed(exit.List, exit.Count).Select(item => new SceneExit(
                item("to"), new PackBox((int)item("x") + exit.Area.Left, (int)item("y") + exit.Area.Up, (int)item("x") + exit.Area.Right, (int)item("y") + exit.Area.Down), exit.Key));

        IEnumerable<Func<string, long>> Listed(string list, PackNumber? count)
        {
            var value = values[_places[list]];
            var type = (ArrayType)value.Property.Type;
            var item = (StructType)type.Item;
            var most = count is { } given ? Math.Clamp(Number(given), 0, type.Count) : type.Count;
            for (var index = 0; value.IsKnown && index < Math.Min(most, MaxListed); index++)
            {
                var at = index * item.Size;
                yield return field =>
                {
                    var (offset, number) = (item.Fields[field].At, (ScalarType)item.Fields[field].Type);
                    return number.Type.Read(value.Bytes.Span.Slice(at + offset, number.Size), number.Endian);
                };
            }
        }
    }

    private (WalkGround? Ground, string? Wrong) GroundOf(int x, int y, long map, List<SceneThing> things, Func<PackNumber, long> number, Func<string, NamedValue> value)
    {
        const int AroundPlayer = 64; // without cells

        if (_pack.Grid is not { } grid)
        {
            return (new WalkGround(x - AroundPlayer, y - AroundPlayer, 2 * AroundPlayer, 2 * AroundPlayer, 1, [], _pack.Player!, false, things), null);
        }

        var (width, height) = (number(grid.Width), number(grid.Height));
        if (width < 1 || height < 1 || width > GamePack.MaxCells || height > GamePack.MaxCells || width * height > GamePack.MaxCells || width * height * grid.Cell * grid.Cell > WalkPath.MaxPositions)
        {
            return (null, string.Create(CultureInfo.InvariantCulture, $"The map has {width} x {height} cells. It has 1 to {GamePack.MaxCells} cells and at most {WalkPath.MaxPositions} positions."));
        }

        var cells = value(grid.Cells);
        var first = number(grid.First) + (grid.EachMap is { } each ? map * each : 0);
        var down = grid.Down is { } given ? number(given) : width;
        var numbers = NumbersOf(cells);
        HashSet<long> free = grid.Free.Place is { } place ? [.. NumbersOf(value(place)).TakeWhile(one => one != grid.FreeEnd)] : [.. grid.Free.Values ?? []];
        var blocked = new bool[width * height];
        for (var row = 0; row < height; row++)
        {
            for (var column = 0; column < width; column++)
            {
                var index = first + (row * down) + (column * (long)grid.Across);
                if (index < 0 || index >= numbers.Count)
                {
                    return (null, string.Create(
                        CultureInfo.InvariantCulture, $"The cell {column}, {row} of map {map} is number {index} of {grid.Cells}, which has {numbers.Count}{(cells.IsKnown ? "" : ": a pointer on the way to it is 0")}."));
                }

                blocked[(row * width) + column] = !free.Contains(numbers[(int)index] & grid.Mask);
            }
        }

        var (left, top) = ((int)number(grid.Left) + (grid.FromPlayer ? x : 0), (int)number(grid.Top) + (grid.FromPlayer ? y : 0));
        return (new WalkGround(left, top, (int)width, (int)height, grid.Cell, blocked, _pack.Player!, grid.OpenEdge, things), null);
    }

    private static List<long> NumbersOf(NamedValue value)
    {
        var numbers = new List<long>();
        if (value.IsKnown && value.Property.Type is ArrayType { Item: ScalarType number } type)
        {
            var bytes = value.Bytes.Span;
            for (var index = 0; index < type.Count; index++)
            {
                numbers.Add(number.Type.Read(bytes.Slice(index * number.Size, number.Size), number.Endian));
            }
        }

        return numbers;
    }

    private static string TextOf(NamedValue value) => value.IsKnown && value.Property.Type.Read(value.Bytes.Span) is { } text ? text.GetValue<string>().TrimEnd() : "";

    private void Add(params ReadOnlySpan<PackNumber> numbers)
    {
        foreach (var number in numbers)
        {
            if (number.Place is { } place)
            {
                AddList(place, "number", static type => type is ScalarType or ConstantType);
            }
        }
    }

    private void Add(Condition? condition)
    {
        if (condition is null)
        {
            return;
        }

        if (NumberPlaces.Find(_names, condition, out var found) is { } wrong)
        {
            _wrong ??= wrong;
        }

        _conditions[condition] = (_wanted.Count, found.Count);
        _wanted.AddRange(found);
    }

    private void AddListOf(string? place, params string[] fields)
    {
        if (place is not null)
        {
            AddList(
                place, $"list of structs with the numbers {string.Join(", ", fields)}",
                type => type is ArrayType { Item: StructType item } && fields.All(field => item.Fields.TryGetValue(field, out var known) && known.Type is ScalarType));
        }
    }

    private void AddList(string place, string expected, Func<IValueType, bool> isExpected)
    {
        if (_places.TryGetValue(place, out var index))
        {
            Check(_wanted[index].Property.Type);
            return;
        }

        if (TypedPlace.FindToRead(_names, place, out var property, out var at) is { } wrong)
        {
            _wrong ??= wrong;
            return;
        }

        Check(property.Type);
        _places[place] = _wanted.Count;
        _wanted.Add((property, at));

        void Check(IValueType type) => _wrong ??= isExpected(type) ? null : $"{place} is not a {expected}, but {type.Kind}.";
    }
}
