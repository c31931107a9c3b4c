using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>Instructions of a game.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Instructions">In the order of their addresses; fewer than were asked for where memory ends.</param>
public readonly record struct DisassemblyAnswer(long Frame, Epoch Epoch, IReadOnlyList<InstructionAnswer> Instructions);

/// <summary>An instruction.</summary>
/// <param name="Address">Where it is.</param>
/// <param name="Bank">In which bank of a Game Boy; omitted for a GBA.</param>
/// <param name="Symbol">The symbol that is there, `main` or `main+0x4`; omitted when none is known.</param>
/// <param name="Bytes">Its bytes, in hexadecimal.</param>
/// <param name="Text">What it is: ARM and Thumb as GNU objdump writes them, the SM83 of the Game Boy as RGBDS does.</param>
/// <param name="Kind">`branch`, `call`, `return`, `interrupt` (a function of the BIOS), `data` (it reads or writes its target, or takes its address), `undefined` or `other`.</param>
/// <param name="Target">Where it leads, or the data that it means; omitted where only a run can tell.</param>
public readonly record struct InstructionAnswer(string Address, long? Bank, string? Symbol, string Bytes, string Text, string Kind, TargetAnswer? Target);

/// <summary>Where an instruction leads, or the data that it means.</summary>
/// <param name="Address">Where it is.</param>
/// <param name="Bank">In which bank of a Game Boy; omitted for a GBA.</param>
/// <param name="Symbol">The symbol that is there; omitted when none is known.</param>
/// <param name="Value">The word that is loaded from there; omitted for other instructions.</param>
/// <param name="ValueSymbol">The symbol at the address that this word is; omitted when none is known.</param>
public readonly record struct TargetAnswer(string Address, long? Bank, string? Symbol, string? Value, string? ValueSymbol);

/// <summary>Which instructions are wanted.</summary>
/// <param name="Address">From where; null for the instruction that is executed next.</param>
/// <param name="Count">How many.</param>
/// <param name="Mode">As which; null for the processor's.</param>
/// <param name="Bank">In which bank of a Game Boy; null for that of the address.</param>
internal readonly record struct DisassemblyRequest(string? Address, int Count, string? Mode, int? Bank);

/// <summary>The JSON of disassemblies.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(DisassemblyAnswer))]
internal sealed partial class DisassemblyJson : JsonSerializerContext;
