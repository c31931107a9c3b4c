using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>What is wanted of what the game did.</summary>
/// <param name="Kinds">Which events, separated by commas.</param>
/// <param name="Location">Of which instructions; null for all.</param>
/// <param name="Length">How many bytes of them; null for those of the symbol, or one instruction.</param>
/// <param name="From">From which frame on; null for the last one.</param>
/// <param name="Number">From which event of the frame on.</param>
/// <param name="Count">How many.</param>
public sealed record TraceRequest(string Kinds, string? Location, long? Length, long? From, long Number, long Count);

/// <summary>What the game did.</summary>
/// <param name="Frame">The script's frame count when the search had ended.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Events">The events, in their order.</param>
/// <param name="Next">Where the next request continues.</param>
/// <param name="Missed">How many frames at the beginning are not kept any more.</param>
public readonly record struct TraceAnswer(long Frame, Epoch Epoch, IReadOnlyList<TraceEventAnswer> Events, TracePlace Next, long Missed);

/// <summary>A place in a trace.</summary>
/// <param name="From">The frame.</param>
/// <param name="Number">The number of an event in it.</param>
public readonly record struct TracePlace(long From, long Number);

/// <summary>Something that the game did.</summary>
/// <param name="At">The frame in which it was.</param>
/// <param name="Number">Its number in this frame, of the events that are asked for.</param>
/// <param name="Cycle">Cycles of the machine since the frame began.</param>
/// <param name="Line">The line of the picture that was drawn then.</param>
/// <param name="Kind">What it was: `instruction`, `call`, `return`, `interrupt`, or a write to a device: `dma` (also what DMA writes), `display`, `sound`, `timer`, `serial`.</param>
/// <param name="Pc">The instruction; of an interrupt the one that is interrupted.</param>
/// <param name="Bank">Its bank, on a Game Boy.</param>
/// <param name="Symbol">Its name, perhaps with an offset; absent where no symbol is known.</param>
/// <param name="Text">The instruction itself; absent for others than the kind `instruction`.</param>
/// <param name="Address">What is called, returned to or written, or the vector of the interrupt; absent for the kind `instruction`.</param>
/// <param name="Name">The name of this address; absent where none is known.</param>
/// <param name="Size">How many bytes are written; absent for others than writes.</param>
/// <param name="Value">What is written.</param>
/// <param name="ByDma">Whether DMA wrote it, and not the instruction.</param>
public readonly record struct TraceEventAnswer(
    long At, long Number, long Cycle, long Line, string Kind, string Pc, long? Bank, string? Symbol, string? Text, string? Address, string? Name, long? Size, long? Value, bool? ByDma);

/// <summary>The JSON of traces.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(TraceAnswer))]
internal sealed partial class TraceJson : JsonSerializerContext;
