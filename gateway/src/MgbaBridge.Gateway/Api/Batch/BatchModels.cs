using System.Buffers;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Keys;
using MgbaBridge.Gateway.Api.Memory;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Batch;

/// <summary>Things to do in order between the same two frames.</summary>
public sealed record BatchBody
{
    // a batch for later waits for its frame, however far away; a caller that leaves takes it back
    internal static readonly TimeSpan MaxWait = TimeSpan.FromMinutes(20);

    private const int MaxItems = 4_096;

    /// <summary>1 to 4096 of them, guards first.</summary>
    public required IReadOnlyList<BatchItem> Items { get; init; }

    /// <summary>In this frame; at once unless given.</summary>
    public long? At { get; init; }

    /// <summary>After so many frames, 1 to 36000, instead of `at`.</summary>
    public long? After { get; init; }

    /// <summary>Whether it is for a later frame.</summary>
    internal bool IsForLater => At is not null || After is not null;

    /// <summary>The items as they stand on the wire, or what is wrong.</summary>
    internal string? TryBuild(out BatchItems items)
    {
        items = new BatchItems();
        return Items.Count is 0 or > MaxItems ? $"items has to be a list of 1 to {MaxItems}; this one has {Items.Count}." : BatchItem.TryBuild(Items, out items);
    }
}

/// <summary>One thing to do in a batch: exactly one of these.</summary>
public sealed record BatchItem
{
    private const string FormatHint =
        "Each item is exactly one of guard, read, write, setKeys, addKeys, clearKeys, tap, sequence, register, screen, state, loadState and reset, "
        + "as in {\"read\": {\"location\": \"0x02000000\", \"type\": \"u8\"}}.";

    /// <summary>What must hold; guards come first.</summary>
    public GuardItem? Guard { get; init; }

    /// <summary>Read memory.</summary>
    public ReadItem? Read { get; init; }

    /// <summary>Write memory.</summary>
    public WriteItem? Write { get; init; }

    /// <summary>Hold exactly these keys.</summary>
    public KeysBody? SetKeys { get; init; }

    /// <summary>Hold these keys as well.</summary>
    public KeysBody? AddKeys { get; init; }

    /// <summary>Let go of these keys.</summary>
    public KeysBody? ClearKeys { get; init; }

    /// <summary>Press keys together.</summary>
    public TapBody? Tap { get; init; }

    /// <summary>Press keys one after the other.</summary>
    public SequenceBody? Sequence { get; init; }

    /// <summary>Read this register.</summary>
    public string? Register { get; init; }

    /// <summary>`true`: take the picture.</summary>
    public bool? Screen { get; init; }

    /// <summary>`true`: take the state of the whole machine.</summary>
    public bool? State { get; init; }

    /// <summary>Go on from this state, in base64.</summary>
    public ReadOnlyMemory<byte>? LoadState { get; init; }

    /// <summary>`true`: reset the game.</summary>
    public bool? Reset { get; init; }

    private int GivenCount => Count(Guard) + Count(Read) + Count(Write) + Count(SetKeys) + Count(AddKeys) + Count(ClearKeys) + Count(Tap) + Count(Sequence)
        + Count(Register) + Count(Screen) + Count(State) + (LoadState is null ? 0 : 1) + Count(Reset);

    /// <summary>The items as they stand on the wire, or what is wrong with one of them.</summary>
    internal static string? TryBuild(IReadOnlyList<BatchItem> items, out BatchItems built)
    {
        built = new BatchItems();
        for (var index = 0; index < items.Count; index++)
        {
            if (items[index] is not { GivenCount: 1 } item)
            {
                return $"Item {index + 1}: {FormatHint}";
            }

            if (item.AddTo(built) is { } wrong)
            {
                return $"Item {index + 1}: {wrong}";
            }
        }

        return null;
    }

    private static int Count(object? part) => part is null ? 0 : 1;

    private static int Count(bool? part) => part is null ? 0 : 1;

    private string? AddTo(BatchItems items)
    {
        switch (this)
        {
            case { Guard: { } guard }: return guard.AddTo(items);
            case { Write: { } write }: return write.AddTo(items);
            case { Read: { IsValid: true, Type: { } type } read }: items.Add(new ReadCell(read.Location, type.Width()), ItemResultKind.Number, type); return null;
            case { Read: { IsValid: true } read }: items.Add(new ReadMemory(read.Location, read.Range.Length), ItemResultKind.Bytes); return null;
            case { Read: not null }: return ReadItem.FormatHint;
            case { Register: { } register }: items.Add(new ReadRegister(register), ItemResultKind.Number); return null;
            case { Screen: true }: items.Add(new ReadScreen(), ItemResultKind.Bytes); return null;
            case { State: true }: items.Add(new SaveState(null), ItemResultKind.Bytes); return null;
            case { LoadState: { } state }: items.Add(new LoadState(new ReadOnlySequence<byte>(state), null)); return null;
            case { Reset: true }: items.Add(new ResetGame()); return null;
            default: return AddKeysTo(items);
        }
    }

    private string? AddKeysTo(BatchItems items) => this switch
    {
        { SetKeys: { } set } => KeyOperations.Set.Batch!.Append(set, items),
        { AddKeys: { } add } => KeyOperations.Add.Batch!.Append(add, items),
        { ClearKeys: { } clear } => KeyOperations.Clear.Batch!.Append(clear, items),
        { Tap: { } tap } => KeyOperations.Tap.Batch!.Append(tap, items),
        { Sequence: { } sequence } => KeyOperations.Sequence.Batch!.Append(sequence, items),
        _ => FormatHint,
    };
}

/// <summary>What must hold before anything of a batch is done: a number, or some bytes.</summary>
public sealed record GuardItem
{
    /// <summary>Where.</summary>
    [JsonConverter(typeof(LocationConverter))]
    public required Location Location { get; init; }

    /// <summary>What the number is: u8, u16 or u32.</summary>
    public NumberType? Type { get; init; }

    /// <summary>How it compares: eq unless given, ne, lt, le, gt or ge.</summary>
    public Comparison Is { get; init; }

    /// <summary>With what.</summary>
    public long? Value { get; init; }

    /// <summary>The bytes that must stand there, in base64, instead of type and value.</summary>
    public ReadOnlyMemory<byte>? Bytes { get; init; }

    /// <summary>Adds it to a batch, or says what is wrong.</summary>
    internal string? AddTo(BatchItems items)
    {
        switch (this)
        {
            case { Bytes: { } bytes, Type: null, Value: null }:
                items.Add(new GuardBytes(Location, bytes));
                return null;
            case { Bytes: null, Type: NumberType.U8 or NumberType.U16 or NumberType.U32, Value: { } value } when Is.IsForGuards():
                items.Add(new GuardNumber(Type.Value.Width(), Location, Is, value));
                return null;
            default:
                return "A guard has a location and either a type (u8, u16, u32), is (eq, ne, lt, le, gt, ge) and a value, or bytes in base64.";
        }
    }
}
