using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>What the game shows.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame that all of it belongs to: picture, keys, values and text.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Keys">The keys that are down, of all holders.</param>
/// <param name="Holders">Who holds them, other than this agent: names with their keys.</param>
/// <param name="Picture">What the image of this result shows; absent when it has none.</param>
/// <param name="Values">The watched values by name; null where a pointer on the way is 0.</param>
/// <param name="Changes">Which of them have changed since this agent looked last, as before -> now.</param>
/// <param name="Passed">How many frames have passed since this agent looked last.</param>
/// <param name="Control">Whether this agent has control: the game is then stopped between its calls.</param>
/// <param name="Note">What else matters.</param>
internal sealed record SeenAnswer(
    string Emulator, long Frame, string Epoch, IReadOnlyList<string> Keys, IReadOnlyDictionary<string, string>? Holders, PictureAnswer? Picture,
    IReadOnlyDictionary<string, JsonNode?>? Values, IReadOnlyDictionary<string, string>? Changes, long? Passed, bool Control, string? Note)
{
    /// <summary>Text on the screen, line by line, where the game's property map has a text table named glyphs.</summary>
    public IReadOnlyList<string>? Text { get; init; }

    /// <summary>Where the player is and what is around it, where the game has a pack.</summary>
    public SceneAnswer? Scene { get; init; }
}

/// <summary>What an image shows.</summary>
/// <param name="X">Its left edge in the game's picture.</param>
/// <param name="Y">Its top edge in the game's picture.</param>
/// <param name="Width">Its width in pixels of the game.</param>
/// <param name="Height">Its height in pixels of the game.</param>
/// <param name="Scale">How many pixels of the image a pixel of the game has in each direction.</param>
internal sealed record PictureAnswer(int X, int Y, int Width, int Height, int Scale);

/// <summary>Presses, and what the game shows afterwards.</summary>
/// <param name="Pressed">What was pressed.</param>
/// <param name="Presses">How many presses the game saw.</param>
/// <param name="Down">The first frame with the first key down.</param>
/// <param name="Up">The first frame without the last.</param>
/// <param name="Unseen">The keys that were down already when they were pressed, so that the game saw no press of them; absent when there are none.</param>
/// <param name="Note">How many presses the game did not see, and what to do; absent when it saw all.</param>
/// <param name="Still">Whether the picture did not change any more; absent unless settle was still.</param>
/// <param name="Seen">What the game shows afterwards.</param>
internal sealed record PressedAnswer(string Pressed, int Presses, long Down, long Up, IReadOnlyList<string>? Unseen, string? Note, bool? Still, SeenAnswer Seen);

/// <summary>Values in memory, all from one frame.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame.</param>
/// <param name="Values">The values, in the requested order.</param>
internal sealed record ReadAnswer(string Emulator, long Frame, IReadOnlyList<PlaceAnswer> Values);

/// <summary>A value in memory.</summary>
/// <param name="Name">As it was requested.</param>
/// <param name="At">Where it was found; absent where a pointer on the way is 0.</param>
/// <param name="Value">A number, a text, a list or an object; bytes as hex digits.</param>
internal sealed record PlaceAnswer(string Name, string? At, JsonNode? Value);

/// <summary>How an emulator is.</summary>
/// <param name="Emulator">Its id.</param>
/// <param name="State">How it is: ready, paused, leased, script-missing and so on.</param>
/// <param name="Detail">What is wrong and what to do; absent when all is well.</param>
/// <param name="Title">The game's title.</param>
/// <param name="Code">The game's code.</param>
/// <param name="Platform">gba or gb.</param>
/// <param name="Frame">The script's frame count; absent when it does not answer.</param>
/// <param name="Control">Who has control: you, nobody, or the name of another holder.</param>
/// <param name="Holders">Who holds keys down: names with their keys.</param>
/// <param name="Properties">How many values of this game have names; the resource symbols lists them.</param>
/// <param name="Symbols">How many symbols of this game are known.</param>
/// <param name="Agent">The id of this agent, by which people find it.</param>
/// <param name="Holder">The name under which this agent presses keys.</param>
internal sealed record StatusAnswer(
    string Emulator, string State, string? Detail, string? Title, string? Code, string? Platform, long? Frame, string? Control,
    IReadOnlyDictionary<string, string>? Holders, int? Properties, int? Symbols, string Agent, string Holder);
