using System.Globalization;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>A game pack: what a property map adds so that programs can walk and talk in a game. It names places of the map and of the symbols.</summary>
public sealed record GamePack
{
    private const int MaxEntries = 1_000;
    private const int MaxLength = 256;
    private const int MaxOptions = 64;

    /// <summary>The most cells of a grid.</summary>
    public const int MaxCells = 262_144;

    /// <summary>Who walks. Default: the pack does not say it.</summary>
    public PackPlayer? Player { get; init; }

    /// <summary>The names of the maps, by their number: `{"0": "harbour"}`. Default: maps have numbers only.</summary>
    public Dictionary<string, string> Maps { get; set; } = [];

    /// <summary>Where the player can walk. Default: everywhere.</summary>
    public PackGrid? Grid { get; init; }

    /// <summary>People, signs, doors and items.</summary>
    public List<PackThing> Things { get; set; } = [];

    /// <summary>Ways to other maps.</summary>
    public List<PackExit> Exits { get; set; } = [];

    /// <summary>The text box.</summary>
    public PackTextBox? Text { get; init; }

    /// <summary>Menus and questions.</summary>
    public List<PackMenu> Menus { get; set; } = [];

    /// <summary>What may be reached in the game, in its order.</summary>
    public List<PackMilestone> Milestones { get; set; } = [];

    /// <summary>What is wrong with it, and where; null when nothing is.</summary>
    internal (string Reason, string[] Path)? Mistake()
    {
        if (Player?.Diagonal is < 1 or > 2 or double.NaN)
        {
            return ("diagonal is 1 to 2.", ["player", "diagonal"]);
        }

        if (Player is not null && Player.Body is not { Left: >= 0 and <= MaxLength, Up: >= 0 and <= MaxLength, Right: >= 0 and <= MaxLength, Down: >= 0 and <= MaxLength })
        {
            return ($"body has four numbers from 0 to {MaxLength}.", ["player", "body"]);
        }

        if (Grid is { Cell: < 1 or > MaxLength })
        {
            return ($"cell is 1 to {MaxLength} units.", ["grid", "cell"]);
        }

        foreach (var (name, number) in Grid is null ? [] : new[] { ("width", Grid.Width), ("height", Grid.Height) })
        {
            if (number is { Place: null, Value: < 1 or > MaxCells })
            {
                return ($"{name} is 1 to {MaxCells} cells.", ["grid", name]);
            }
        }

        foreach (var (name, number) in Grid is null ? [] : new[] { ("left", Grid.Left), ("top", Grid.Top) })
        {
            if (number is { Place: null, Value: < short.MinValue or > ushort.MaxValue })
            {
                return ($"{name} is {short.MinValue} to {ushort.MaxValue}.", ["grid", name]);
            }
        }

        var names = new HashSet<string>(StringComparer.OrdinalIgnoreCase);

        foreach (var (name, count) in new[] { ("maps", Maps.Count), ("things", Things.Count), ("exits", Exits.Count), ("menus", Menus.Count), ("milestones", Milestones.Count) })
        {
            if (count > MaxEntries)
            {
                return ($"There are {count}; the limit is {MaxEntries}.", [name]);
            }
        }

        if (Maps.Keys.FirstOrDefault(static number => !long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out _)) is { } map)
        {
            return ("The name of a map stands behind its number, such as \"3\".", ["maps", map]);
        }

        return MistakeIn("things", Things, thing => thing switch
        {
            { Name.Length: 0 or > NameLimits.PropertyName } => $"A name has 1 to {NameLimits.PropertyName} characters.",
            _ when !thing.Name.Any(char.IsLetter) => "A name has a letter, so that it is not taken for a position.",
            _ when !names.Add($"{thing.Map} {thing.Name}") => $"There is another thing {thing.Name} on this map. Give each a name of its own.",
            { Blocks: { X: < 0 or > MaxLength } or { Y: < 0 or > MaxLength } } => $"blocks has two numbers from 0 to {MaxLength}.",
            { Avoid: { X: < 0 or > MaxLength } or { Y: < 0 or > MaxLength } } => $"avoid has two numbers from 0 to {MaxLength}.",
            { Talk: < 0 or > MaxLength } => $"talk is 0 to {MaxLength} units.",
            { Count: not null, List: null } => "Only a list has a count.",
            { Sides.Count: 0 } => "sides names one side or more.",
            _ => null,
        })
        ?? MistakeIn("exits", Exits, static exit => exit switch
        {
            { Count: not null, List: null } => "Only a list has a count.",
            _ when exit.Area.Left > exit.Area.Right || exit.Area.Up > exit.Area.Down => "area has left, top, right and bottom: right is not less than left, and bottom not less than top.",
            { List: null, To: not null } when exit.To == exit.Map => "It leads to its own map.",
            { List: null, To: null } => "It lacks 'to', the number of the map to which it leads.",
            _ => null,
        })
        ?? MistakeIn("menus", Menus, static menu => menu switch
        {
            { Options.Count: 0 or > MaxOptions } => $"A menu has 1 to {MaxOptions} options.",
            { Options.Count: > 1, Cursor: null } => "A menu with several options has a cursor, the number of the one that is selected.",
            _ => null,
        });
    }

    private static (string, string[])? MistakeIn<T>(string name, List<T> all, Func<T, string?> check) => all
        .Select((one, index) => (Reason: one is null ? "it cannot be null." : check(one), Index: index)).FirstOrDefault(static one => one.Reason is not null) is { Reason: { } reason, Index: var at }
        ? (reason, [name, at.ToString(CultureInfo.InvariantCulture)])
        : null;
}

/// <summary>Who walks: where it is, and how it moves. Positions count in the game's own units, pixels or tiles.</summary>
public sealed record PackPlayer
{
    /// <summary>Its position from left to right.</summary>
    public required PackNumber X { get; init; }

    /// <summary>Its position from top to bottom.</summary>
    public required PackNumber Y { get; init; }

    /// <summary>The number of the map. Default: 0, the game has one map.</summary>
    public PackNumber Map { get; init; }

    /// <summary>When it is on a map: not while a title or another map is loaded. Default: always.</summary>
    [JsonConverter(typeof(ConditionConverter))]
    public Condition? Present { get; init; }

    /// <summary>When keys move it. Default: while it is on a map.</summary>
    [JsonConverter(typeof(ConditionConverter))]
    public Condition? Free { get; init; }

    /// <summary>How many units its body goes beyond its position: left, up, right, down. Default: none, it is one unit large.</summary>
    public PackBox Body { get; init; }

    /// <summary>How much longer a diagonal unit takes than a straight one: 1.5 where the game goes 3 units straight in the time of 2 diagonal ones. Default: it cannot go diagonally.</summary>
    public double? Diagonal { get; init; }
}

/// <summary>Units to the four sides.</summary>
/// <param name="Left">To the left.</param>
/// <param name="Up">Upwards.</param>
/// <param name="Right">To the right.</param>
/// <param name="Down">Downwards.</param>
[JsonConverter(typeof(PackBoxConverter))]
public readonly record struct PackBox(int Left, int Up, int Right, int Down);

/// <summary>Where the player can walk: cells in memory, row after row, each with a number.</summary>
public sealed record PackGrid
{
    /// <summary>The cells: a property that is a list of numbers.</summary>
    public required string Cells { get; init; }

    /// <summary>How many cells there are from left to right.</summary>
    public required PackNumber Width { get; init; }

    /// <summary>How many cells there are from top to bottom.</summary>
    public required PackNumber Height { get; init; }

    /// <summary>How many units a cell has in each direction. Default: 1, positions are cells.</summary>
    public int Cell { get; set; } = 1;

    /// <summary>The position of the left edge. Default: 0.</summary>
    public PackNumber Left { get; init; }

    /// <summary>The position of the top edge. Default: 0.</summary>
    public PackNumber Top { get; init; }

    /// <summary>Whether `left` and `top` count from the player, as in a picture of what is around it.</summary>
    public bool FromPlayer { get; init; }

    /// <summary>The index of the first cell. Default: 0.</summary>
    public PackNumber First { get; init; }

    /// <summary>From one cell to the next. Default: 1.</summary>
    public int Across { get; set; } = 1;

    /// <summary>From one row to the next. Default: the width.</summary>
    public PackNumber? Down { get; init; }

    /// <summary>How many cells a map has, where the list has the cells of all maps one after the other. Default: it has those of this map.</summary>
    public int? EachMap { get; init; }

    /// <summary>The bits of a cell that count. Default: all.</summary>
    public uint Mask { get; set; } = uint.MaxValue;

    /// <summary>The numbers of cells where the player can walk: a list, or a property that is a list of numbers.</summary>
    public required PackNumbers Free { get; init; }

    /// <summary>The number that ends a list in memory. Default: it has none.</summary>
    public long? FreeEnd { get; init; }

    /// <summary>Whether its body can be beyond the edge. Default: no.</summary>
    public bool OpenEdge { get; init; }
}

/// <summary>What is somewhere on a map: one thing with a name, or those of a list in memory.</summary>
public sealed record PackThing
{
    /// <summary>Its name. Those of a list get a number behind it.</summary>
    public required string Name { get; init; }

    /// <summary>A property that is a list of structs with the fields x and y. Default: it is one thing.</summary>
    public string? List { get; init; }

    /// <summary>How many elements of the list count. Default: all.</summary>
    public PackNumber? Count { get; init; }

    /// <summary>The number of its map. Default: the map on which the player is.</summary>
    public int? Map { get; init; }

    /// <summary>Its position from left to right; in a list, what is added to the field.</summary>
    public PackNumber X { get; init; }

    /// <summary>Its position from top to bottom; in a list, what is added to the field.</summary>
    public PackNumber Y { get; init; }

    /// <summary>It is there while this holds. Default: always.</summary>
    [JsonConverter(typeof(ConditionConverter))]
    public Condition? When { get; init; }

    /// <summary>It is not there while this holds.</summary>
    [JsonConverter(typeof(ConditionConverter))]
    public Condition? Unless { get; init; }

    /// <summary>The player's position cannot be so near: less than these units to the side and up or down. Default: it is in nobody's way.</summary>
    public PackSize? Blocks { get; init; }

    /// <summary>The player's position should not be so near. Default: it does no harm.</summary>
    public PackSize? Avoid { get; init; }

    /// <summary>How far away the player stands to talk to it, in units. Default: one cell.</summary>
    public int? Talk { get; init; }

    /// <summary>From which sides. Default: all four.</summary>
    public List<PackSide>? Sides { get; init; }
}

/// <summary>Two lengths in units.</summary>
/// <param name="X">From left to right.</param>
/// <param name="Y">From top to bottom.</param>
[JsonConverter(typeof(PackSizeConverter))]
public readonly record struct PackSize(int X, int Y);

/// <summary>A direction, by the key for it.</summary>
[JsonConverter(typeof(PackSideConverter))]
public enum PackSide
{
    Left,
    Up,
    Right,
    Down,
}

/// <summary>A way to another map: one, or those of a list in memory.</summary>
public sealed record PackExit
{
    /// <summary>The number of the map on which it is. Default: the map on which the player is.</summary>
    public int? Map { get; init; }

    /// <summary>A property that is a list of structs with the fields x, y and to. Default: it is one exit.</summary>
    public string? List { get; init; }

    /// <summary>How many elements of the list count. Default: all.</summary>
    public PackNumber? Count { get; init; }

    /// <summary>The positions that lead away: left, top, right, bottom; in a list, what is added to the fields.</summary>
    public PackBox Area { get; init; }

    /// <summary>The number of the map to which it leads; in a list the field has it.</summary>
    public int? To { get; init; }

    /// <summary>The key by which the player leaves from there. Default: being there is enough.</summary>
    public PackSide? Key { get; init; }

    /// <summary>It is open while this holds. Default: always.</summary>
    [JsonConverter(typeof(ConditionConverter))]
    public Condition? When { get; init; }
}

/// <summary>The text box.</summary>
public sealed record PackTextBox
{
    /// <summary>When it is open.</summary>
    [JsonConverter(typeof(ConditionConverter))]
    public required Condition Open { get; init; }

    /// <summary>Its text: a property that is a text. Default: the text on the screen, by the text table `glyphs`.</summary>
    public string? Value { get; init; }

    /// <summary>The key for the next page. Default: A.</summary>
    [JsonConverter(typeof(KeyConverter))]
    public KeySet Next { get; set; } = KeyConverter.A;
}

/// <summary>A menu or a question.</summary>
public sealed record PackMenu
{
    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>When it is open.</summary>
    [JsonConverter(typeof(ConditionConverter))]
    public required Condition Open { get; init; }

    /// <summary>The number of the option that is selected, from 0. Default: it has one option.</summary>
    public PackNumber? Cursor { get; init; }

    /// <summary>The options, from the first on.</summary>
    public required List<string> Options { get; init; }

    /// <summary>The key for the option before. Default: Up.</summary>
    [JsonConverter(typeof(KeyConverter))]
    public KeySet Previous { get; set; } = KeyConverter.Up;

    /// <summary>The key for the option behind. Default: Down.</summary>
    [JsonConverter(typeof(KeyConverter))]
    public KeySet Next { get; set; } = KeyConverter.Down;

    /// <summary>The key that takes the option. Default: A.</summary>
    [JsonConverter(typeof(KeyConverter))]
    public KeySet Select { get; set; } = KeyConverter.A;
}

/// <summary>What may be reached in the game.</summary>
public sealed record PackMilestone
{
    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>When it is reached.</summary>
    [JsonConverter(typeof(ConditionConverter))]
    public required Condition When { get; init; }

    /// <summary>The points for it. Default: 1.</summary>
    public int Points { get; set; } = 1;
}

/// <summary>A number, or the name of a place in memory that has it.</summary>
/// <param name="Value">The number, without a name.</param>
/// <param name="Place">The name, or null.</param>
[JsonConverter(typeof(PackNumberConverter))]
public readonly record struct PackNumber(long Value, string? Place);

/// <summary>Numbers, or the name of a list in memory that has them.</summary>
/// <param name="Values">The numbers; null with a name.</param>
/// <param name="Place">The name, or null.</param>
[JsonConverter(typeof(PackNumbersConverter))]
public readonly record struct PackNumbers(IReadOnlyList<long>? Values, string? Place);
