using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>How a game goes back.</summary>
public enum BackKind
{
    /// <summary>Instructions.</summary>
    Step,

    /// <summary>To where a point would have halted it last.</summary>
    Point,

    /// <summary>To the beginning of a frame.</summary>
    Frame,
}

/// <summary>How far a game goes back.</summary>
/// <param name="Kind">How.</param>
/// <param name="Count">How many instructions or frames.</param>
/// <param name="Seconds">After how long the halt ends; null for the default.</param>
public sealed record BackRequest(BackKind Kind, long Count, long? Seconds);

/// <summary>Whose writes are wanted.</summary>
/// <param name="Location">Where.</param>
/// <param name="Length">How many bytes; null for those of the symbol, or 1.</param>
/// <param name="Bank">The bank of a Game Boy's memory; null for that of the location.</param>
/// <param name="Count">How many writes.</param>
public sealed record WritersRequest(string Location, long? Length, long? Bank, long Count);

/// <summary>What is kept of the history of a game.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Megabytes">How much memory it may take; 0 when none is kept.</param>
/// <param name="Bytes">How much it takes.</param>
/// <param name="First">The frame in which it begins.</param>
/// <param name="At">The frame that the game is in.</param>
/// <param name="InPast">Whether the game is in its past.</param>
/// <param name="Problem">Why nothing is kept; absent without a reason.</param>
public readonly record struct HistoryAnswer(long Frame, Epoch Epoch, long Megabytes, long Bytes, long First, long At, bool InPast, string? Problem);

/// <summary>Who wrote to a place last.</summary>
/// <param name="Frame">The script's frame count when the search had ended.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Writers">The writes, the last one first.</param>
public readonly record struct WritersAnswer(long Frame, Epoch Epoch, IReadOnlyList<WriterAnswer> Writers);

/// <summary>A write of another value.</summary>
/// <param name="By">Who it was: `game` (an instruction), `dma`, or `outside`: a client, a freeze, a state or a reset.</param>
/// <param name="Frame">The frame in which it was.</param>
/// <param name="Pc">The instruction; absent for others than the game.</param>
/// <param name="Bank">Its bank, on a Game Boy.</param>
/// <param name="Symbol">Its name, perhaps with an offset; absent where no symbol is known.</param>
/// <param name="Address">Where it was.</param>
/// <param name="Name">The name of this address; absent where none is known.</param>
/// <param name="Size">How many bytes it had: 1, 2 or 4.</param>
/// <param name="Before">The value before it.</param>
/// <param name="Value">The value that was there then.</param>
public readonly record struct WriterAnswer(string By, long Frame, string? Pc, long? Bank, string? Symbol, string Address, string? Name, long Size, long Before, long Value);

/// <summary>The JSON of histories.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(HistoryAnswer))]
[JsonSerializable(typeof(WritersAnswer))]
[JsonSerializable(typeof(DebuggerAnswer))]
internal sealed partial class HistoryJson : JsonSerializerContext;
