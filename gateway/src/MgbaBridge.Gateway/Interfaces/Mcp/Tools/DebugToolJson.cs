using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Breakpoints and watchpoints.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame.</param>
/// <param name="Point">The number of the point that was set.</param>
/// <param name="Points">All of them: number, what hits it, where, its condition, what happens, how often it was hit, and whose it is.</param>
internal sealed record PointsShown(string Emulator, long Frame, long? Point, IReadOnlyList<string> Points);

/// <summary>Where the game is.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame.</param>
/// <param name="Halted">Whether it is halted.</param>
/// <param name="Why">Why it is halted: of a watchpoint the place, the values before and after, and the instruction that did it.</param>
/// <param name="Pc">The instruction that is executed next, with its symbol.</param>
/// <param name="Registers">The registers; pc of a GBA is ahead, as the processor has it.</param>
/// <param name="Code">The instructions there; > marks the one that is executed next.</param>
/// <param name="Stack">The functions that are under way, the innermost first; a call that is only guessed says so.</param>
internal sealed record WhereAnswer(string Emulator, long Frame, bool Halted, string Why, string? Pc, string Registers, IReadOnlyList<string>? Code, IReadOnlyList<string>? Stack);

/// <summary>Code.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame.</param>
/// <param name="Code">The instructions: address, symbol, text, and behind semicolons the symbol of what it calls, reads or writes, and the word that it loads.</param>
internal sealed record CodeShown(string Emulator, long Frame, IReadOnlyList<string> Code);

/// <summary>The registers of devices.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame.</param>
/// <param name="Devices">The registers of each device: name, address, value, and what its bits mean.</param>
/// <param name="Banks">Which banks of a Game Boy are mapped.</param>
internal sealed record HardwareShown(string Emulator, long Frame, IReadOnlyDictionary<string, IReadOnlyList<string>> Devices, IReadOnlyDictionary<string, long>? Banks);

/// <summary>Who wrote to a place.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame in which the search had ended.</param>
/// <param name="Sentence">What was found.</param>
/// <param name="Writes">The last one first.</param>
internal sealed record WritersShown(string Emulator, long Frame, string Sentence, IReadOnlyList<string> Writes);

/// <summary>What the game did.</summary>
/// <param name="Emulator">The emulator.</param>
/// <param name="Frame">The frame in which the search had ended.</param>
/// <param name="Sentence">What was found, and where to continue.</param>
/// <param name="Events">Frame, number of the event in it and line of the picture, then what happened.</param>
/// <param name="NextFrame">The frame in which to continue.</param>
/// <param name="NextNumber">The event in it.</param>
internal sealed record TraceShown(string Emulator, long Frame, string Sentence, IReadOnlyList<string> Events, long NextFrame, long NextNumber);

/// <summary>The JSON of tools for debugging.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(PointsShown))]
[JsonSerializable(typeof(WhereAnswer))]
[JsonSerializable(typeof(CodeShown))]
[JsonSerializable(typeof(HardwareShown))]
[JsonSerializable(typeof(WritersShown))]
[JsonSerializable(typeof(TraceShown))]
internal sealed partial class DebugToolJson : JsonSerializerContext;
