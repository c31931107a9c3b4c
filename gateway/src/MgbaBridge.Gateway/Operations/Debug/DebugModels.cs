using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>What hits a point.</summary>
public enum PointKind
{
    /// <summary>An instruction, before it is executed.</summary>
    Execute,

    /// <summary>A read.</summary>
    Read,

    /// <summary>A write.</summary>
    Write,

    /// <summary>A read or a write.</summary>
    Access,

    /// <summary>A write of another value.</summary>
    Change,

    /// <summary>The processor begins to serve an interrupt.</summary>
    Interrupt,
}

/// <summary>How far a step goes.</summary>
public enum StepKind
{
    /// <summary>One instruction.</summary>
    Into,

    /// <summary>One instruction, and the function that it calls.</summary>
    Over,

    /// <summary>Until the present function returns.</summary>
    Out,

    /// <summary>Until a location.</summary>
    To,
}

/// <summary>A breakpoint or a watchpoint to set.</summary>
/// <param name="Kind">What hits it.</param>
/// <param name="Location">Where.</param>
/// <param name="Length">How many bytes are watched; null for those of the symbol, or 1.</param>
/// <param name="Bank">The bank of a Game Boy's memory; null for any.</param>
/// <param name="Condition">What has to hold; null for nothing.</param>
/// <param name="Halts">Whether it halts the game.</param>
/// <param name="Seconds">After how long a halt ends; null for the default.</param>
public sealed record PointRequest(PointKind Kind, string Location, long? Length, long? Bank, Condition? Condition, bool Halts, long? Seconds);

/// <summary>A step.</summary>
/// <param name="Kind">How far it goes.</param>
/// <param name="Location">Where to, for <see cref="StepKind.To"/>.</param>
/// <param name="Frames">After how many frames the game is halted wherever it is.</param>
/// <param name="Seconds">After how long the halt ends; null for the default.</param>
public sealed record StepRequest(StepKind Kind, string? Location, long Frames, long? Seconds);

/// <summary>What hit a point.</summary>
/// <param name="Point">The id of the point.</param>
/// <param name="Kind">What it was: `execute`, `read`, `write`, `change` or `interrupt`.</param>
/// <param name="Pc">The instruction; of an access the one that made it, unless DMA did.</param>
/// <param name="Bank">Its bank, on a Game Boy.</param>
/// <param name="Symbol">Its name, perhaps with an offset; absent where no symbol is known.</param>
/// <param name="Address">Where an access was.</param>
/// <param name="Name">The name of this address.</param>
/// <param name="Size">How many bytes it had: 1, 2 or 4.</param>
/// <param name="Before">The value before it.</param>
/// <param name="Value">The value that was read or written.</param>
/// <param name="After">The value after it, which differs from `value` where the memory does not take over what is written.</param>
/// <param name="ByDma">Whether DMA made the access, and not the instruction.</param>
public readonly record struct HitAnswer(
    long Point, string Kind, string Pc, long Bank, string? Symbol, string? Address, string? Name, long? Size, long? Before, long? Value, long? After, bool? ByDma)
{
    /// <summary>A hit.</summary>
    /// <param name="hit">The hit.</param>
    /// <param name="nameOf">The name of an address in a bank, or null.</param>
    /// <param name="bank">The bank of the access, on a Game Boy.</param>
    internal static HitAnswer Of(DebugHit hit, Func<long, long?, string?> nameOf, long? bank) => new(
        hit.Point,
        hit.Kind,
        Hex.Of(hit.Pc),
        hit.Bank,
        nameOf(hit.Pc, hit.Bank),
        hit.Access is { } access ? Hex.Of(access.Address) : null,
        hit.Access is { } at ? nameOf(at.Address, bank) : null,
        hit.Access?.Size,
        hit.Access?.Before,
        hit.Access?.Value,
        hit.Access?.After,
        hit.Access?.ByDma);
}

/// <summary>Whether the game is halted, and the registers of the processor.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Halted">Whether it is halted.</param>
/// <param name="Halt">The number of the halt: another number is another halt.</param>
/// <param name="Reason">Why: `requested`, `step`, `point`, `moved` (a state was loaded, or the game reset), or `history` (which begins there).</param>
/// <param name="Pc">The instruction that is executed next.</param>
/// <param name="Bank">Its bank, on a Game Boy.</param>
/// <param name="Symbol">Its name, perhaps with an offset; absent where no symbol is known.</param>
/// <param name="Hit">What hit a point, if that is why.</param>
/// <param name="Past">The frame that it is in, in its past; absent in the present.</param>
/// <param name="Searching">Whether it goes back or repeats its past at the moment: it is halted as before until that is done; otherwise absent.</param>
/// <param name="Registers">Values by name, unsigned. The `pc` of a GBA is ahead of the instruction that is executed next, as the processor has it.</param>
public readonly record struct DebuggerAnswer(
    long Frame, Epoch Epoch, bool Halted, long? Halt, string? Reason, string? Pc, long? Bank, string? Symbol, HitAnswer? Hit, long? Past, bool? Searching, IReadOnlyDictionary<string, long> Registers)
{
    /// <summary>An example.</summary>
    internal const string Example =
        """{"frame":4711,"epoch":"9f3a01c2","halted":true,"halt":3,"reason":"point","pc":"0x080001F4","bank":0,"symbol":"update_score+0x8","hit":{"point":1,"kind":"change","pc":"0x080001F0","bank":0,"address":"0x02000008","name":"score","size":4,"before":10,"value":0,"after":0,"byDma":false},"registers":{"r0":0,"pc":134218232,"cpsr":63}}""";

    /// <summary>The answer of a state.</summary>
    /// <param name="frame">The frame in which it was.</param>
    /// <param name="epoch">The epoch in which it was.</param>
    /// <param name="state">The state.</param>
    /// <param name="nameOf">The name of an address in a bank, or null.</param>
    /// <param name="bank">The bank of the access that hit a point, on a Game Boy.</param>
    internal static DebuggerAnswer Of(long frame, Epoch epoch, DebuggerState state, Func<long, long?, string?> nameOf, long? bank) => new(
        frame,
        epoch,
        state.Halt is not null,
        state.Halt?.Number,
        state.Halt?.Reason,
        state.Halt is { } halt ? Hex.Of(halt.Pc) : null,
        state.Halt?.Bank,
        state.Halt is { } at ? nameOf(at.Pc, at.Bank) : null,
        state.Halt?.Hit is { } hit ? HitAnswer.Of(hit, nameOf, bank) : null,
        state.Halt?.Past,
        state.Halt is { IsSearching: true } ? true : null,
        state.Registers);
}

/// <summary>A point that was set.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Point">Its id.</param>
public readonly record struct PointAnswer(long Frame, Epoch Epoch, long Point);

/// <summary>A point.</summary>
/// <param name="Point">Its id.</param>
/// <param name="Holder">Whose it is.</param>
/// <param name="Kind">What hits it.</param>
/// <param name="First">Its first address.</param>
/// <param name="Last">Its last address.</param>
/// <param name="Bank">Its bank; absent for any.</param>
/// <param name="Condition">Its condition, as it was entered; absent for none.</param>
/// <param name="Halts">Whether it halts the game.</param>
/// <param name="Hits">How often it was hit.</param>
public readonly record struct PointEntry(long Point, string Holder, string Kind, string First, string Last, long? Bank, string? Condition, bool Halts, long Hits);

/// <summary>The points of an emulator.</summary>
/// <param name="Frame">The script's frame count when they were listed.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Points">All of them, in the order of their ids.</param>
public readonly record struct PointsAnswer(long Frame, Epoch Epoch, IReadOnlyList<PointEntry> Points)
{
    internal static PointsAnswer Of(ListPoints command, Reply reply) => new(reply.Frame, reply.Epoch, [.. ListPoints.Parse(reply).Select(static point => new PointEntry(
        point.Id, point.Holder, point.Kind, Hex.Of(point.First), Hex.Of(point.Last), point.Bank, point.Condition, point.Halts, point.Hits))]);
}

/// <summary>Points that were removed.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Removed">How many.</param>
public readonly record struct RemovedAnswer(long Frame, Epoch Epoch, long Removed);

/// <summary>That the game runs.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="WasHalted">Whether it was halted.</param>
public readonly record struct ContinuedAnswer(long Frame, Epoch Epoch, bool WasHalted);

/// <summary>The JSON of debugging.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(DebuggerAnswer))]
[JsonSerializable(typeof(PointAnswer))]
[JsonSerializable(typeof(PointsAnswer))]
[JsonSerializable(typeof(RemovedAnswer))]
[JsonSerializable(typeof(ContinuedAnswer))]
internal sealed partial class DebugJson : JsonSerializerContext;
