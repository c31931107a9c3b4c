using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Engines.Packs;

/// <summary>Where the player is in one frame and what is open, as a game pack says.</summary>
/// <param name="Place">Where the player is; null while it is on no map.</param>
/// <param name="IsFree">Whether keys move the player.</param>
/// <param name="TextBox">The text of the open text box; null when none is open, empty when its text is known by the picture only.</param>
/// <param name="Menu">The open menu, or null.</param>
/// <param name="Reached">The milestones that hold now.</param>
public sealed record GameScene(ScenePlace? Place, bool IsFree, string? TextBox, OpenMenu? Menu, IReadOnlyList<PackMilestone> Reached)
{
    /// <summary>Whether a text box or a menu is open.</summary>
    public bool IsOpen => TextBox is not null || Menu is not null;
}

/// <summary>Where the player is, and what is around it.</summary>
/// <param name="Map">The number of the map.</param>
/// <param name="X">The player's position from left to right.</param>
/// <param name="Y">From top to bottom.</param>
/// <param name="Things">The things on this map.</param>
/// <param name="Exits">The exits of this map that are open.</param>
/// <param name="Ground">Where the player can walk.</param>
public sealed record ScenePlace(long Map, int X, int Y, IReadOnlyList<SceneThing> Things, IReadOnlyList<SceneExit> Exits, WalkGround Ground);

/// <summary>A thing on the map.</summary>
/// <param name="Name">Its name.</param>
/// <param name="X">Its position from left to right.</param>
/// <param name="Y">From top to bottom.</param>
/// <param name="Declared">What the pack says about it.</param>
public sealed record SceneThing(string Name, int X, int Y, PackThing Declared);

/// <summary>An exit of the map.</summary>
/// <param name="To">The number of the map to which it leads.</param>
/// <param name="Area">The positions that lead away.</param>
/// <param name="Key">The key by which the player leaves, or null.</param>
public sealed record SceneExit(long To, PackBox Area, PackSide? Key);

/// <summary>An open menu.</summary>
/// <param name="Declared">What the pack says about it.</param>
/// <param name="Selected">The number of the option that is selected; null where it has one option.</param>
public sealed record OpenMenu(PackMenu Declared, long? Selected)
{
    /// <summary>The option that is selected; null where the number is none of its options.</summary>
    public string? Option => (Selected ?? 0) is >= 0 and var index && index < Declared.Options.Count ? Declared.Options[(int)index] : null;
}

/// <summary>The directions.</summary>
public static class PackSides
{
    private static readonly KeySet[] Keys = [KeySet.Parse("Left"), KeySet.Parse("Up"), KeySet.Parse("Right"), KeySet.Parse("Down")];

    /// <summary>All of them.</summary>
    public static IReadOnlyList<PackSide> All { get; } = Enum.GetValues<PackSide>();

    /// <summary>The key for it.</summary>
    public static KeySet Key(this PackSide side) => Keys[(int)side];

    /// <summary>A unit in this direction.</summary>
    public static (int X, int Y) Step(this PackSide side) => side switch
    {
        PackSide.Left => (-1, 0),
        PackSide.Up => (0, -1),
        PackSide.Right => (1, 0),
        _ => (0, 1),
    };

    /// <summary>The keys for a step of at most a unit in each direction.</summary>
    public static KeySet KeysOf(int x, int y) => new(
        (x < 0 ? Keys[0].Mask : x > 0 ? Keys[2].Mask : 0) | (y < 0 ? Keys[1].Mask : y > 0 ? Keys[3].Mask : 0));
}
