using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>The functions that are under way.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Functions">The innermost first.</param>
public readonly record struct BacktraceAnswer(long Frame, Epoch Epoch, IReadOnlyList<FunctionAnswer> Functions);

/// <summary>A function that is under way.</summary>
/// <param name="Address">The instruction that it executes next.</param>
/// <param name="Bank">Its bank, on a Game Boy.</param>
/// <param name="Symbol">The place in it; absent where no symbol is known.</param>
/// <param name="From">Where the address is from: `pc`, `link` (the register lr), `stack`, or `interrupt` (what an interrupt of a GBA has interrupted, as its BIOS keeps it).</param>
/// <param name="Certainty">`exact`, `matched` (it calls the function before) or `guess`.</param>
/// <param name="Call">The instruction that calls the function before; absent where none does.</param>
/// <param name="Place">Where the address is on the stack; absent where it is not.</param>
public readonly record struct FunctionAnswer(string Address, long? Bank, string? Symbol, string From, string Certainty, string? Call, string? Place);

/// <summary>The JSON of call stacks.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(BacktraceAnswer))]
internal sealed partial class BacktraceJson : JsonSerializerContext;
