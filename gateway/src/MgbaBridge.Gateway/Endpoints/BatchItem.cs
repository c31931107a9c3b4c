using System.Buffers;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>One thing to do in a batch: exactly one of these.</summary>
public sealed record BatchItem
{
    private const string Forms =
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

    private int Said => Count(Guard) + Count(Read) + Count(Write) + Count(SetKeys) + Count(AddKeys) + Count(ClearKeys) + Count(Tap) + Count(Sequence)
        + Count(Register) + Count(Screen) + Count(State) + (LoadState is null ? 0 : 1) + Count(Reset);

    /// <summary>The items as they stand on the wire, or what is wrong with one of them.</summary>
    internal static string? TryBuild(IReadOnlyList<BatchItem> items, out BatchItems built)
    {
        built = new BatchItems();
        for (var index = 0; index < items.Count; index++)
        {
            if (items[index] is not { Said: 1 } item)
            {
                return $"Item {index + 1}: {Forms}";
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
            case { Read: { IsValid: true, Type: { } type } read }: items.Add(new ReadCell(read.Location, type.Width()), ItemForm.Number, type); return null;
            case { Read: { IsValid: true } read }: items.Add(new ReadMemory(read.Location, read.Range.Length), ItemForm.Bytes); return null;
            case { Read: not null }: return ReadItem.Forms;
            case { Register: { } register }: items.Add(new ReadRegister(register), ItemForm.Number); return null;
            case { Screen: true }: items.Add(new ReadScreen(), ItemForm.Bytes); return null;
            case { State: true }: items.Add(new SaveState(null), ItemForm.Bytes); return null;
            case { LoadState: { } state }: items.Add(new LoadState(new ReadOnlySequence<byte>(state), null)); return null;
            case { Reset: true }: items.Add(new ResetGame()); return null;
            default: return AddKeysTo(items);
        }
    }

    private string? AddKeysTo(BatchItems items)
    {
        switch (this)
        {
            case { SetKeys: { } set }: items.Add(new ChangeKeys(KeyChange.Set, set.Keys)); return null;
            case { AddKeys: { } add }: items.Add(new ChangeKeys(KeyChange.Add, add.Keys)); return null;
            case { ClearKeys: { } clear }: items.Add(new ChangeKeys(KeyChange.Clear, clear.Keys)); return null;
            case { Tap: { Keys.Count: > 0 } tap }: items.Add(new TapKeys(tap.Keys, tap.Frames, tap.Gap, tap.Wait), ItemForm.Press); return null;
            case { Sequence: { } sequence } when sequence.Text() is { } steps: items.Add(new PlaySequence(steps, sequence.Gap, sequence.Wait), ItemForm.Press); return null;
            case { Tap: not null }: return TapBody.Forms;
            default: return Forms;
        }
    }
}
