using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Saves the state of the machine. The reply's tail contains it.</summary>
/// <param name="Flags">The parts to save; null for the script's default.</param>
public readonly record struct SaveState(StateFlags? Flags) : ICommand<SaveState>
{
    private static readonly CommandDescriptor SaveDescriptor = new("state.save", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => SaveDescriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in SaveState command) => RequestClass.Bulk;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        if (Flags is { } flags)
        {
            head.Named("flags"u8, (long)flags);
        }
    }
}

/// <summary>Loads a state of the machine.</summary>
/// <param name="State">The bytes of a state, raw or PNG.</param>
/// <param name="Flags">The parts to load; null for the script's default.</param>
public readonly record struct LoadState(ReadOnlySequence<byte> State, StateFlags? Flags) : ICommand<LoadState>
{
    private static readonly CommandDescriptor LoadDescriptor = new("state.load", CommandKind.Effect);

    /// <summary>The raw state.</summary>
    public ReadOnlySequence<byte> State { get; } = PngState.Unpack(State);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => LoadDescriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in LoadState command) => RequestClass.Bulk;

    /// <inheritdoc/>
    public static ReadOnlySequence<byte>? TailOf(in LoadState command) => command.State;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        if (Flags is { } flags)
        {
            head.Named("flags"u8, (long)flags);
        }
    }
}

/// <summary>Saves or loads a state in a slot of the game.</summary>
/// <param name="Move">Whether to save or to load.</param>
/// <param name="Slot">0..9.</param>
/// <param name="Flags">The parts to save or load; null for the script's default.</param>
public readonly record struct StateSlot(StateMove Move, long Slot, StateFlags? Flags) : ICommand<StateSlot>
{
    private static readonly CommandDescriptor SaveDescriptor = new("state.save_slot", CommandKind.Effect);
    private static readonly CommandDescriptor LoadDescriptor = new("state.load_slot", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Move == StateMove.Save ? SaveDescriptor : LoadDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Integer(Slot);
        if (Flags is { } flags)
        {
            head.Named("flags"u8, (long)flags);
        }
    }
}

/// <summary>Saves or loads a state in a file.</summary>
/// <param name="Move">Whether to save or to load.</param>
/// <param name="Path">The file, on the script's side.</param>
/// <param name="Flags">The parts to save or load; null for the script's default.</param>
public readonly record struct StateFile(StateMove Move, string Path, StateFlags? Flags) : ICommand<StateFile>, IFileCommand
{
    private static readonly CommandDescriptor SaveDescriptor = new("state.save_file", CommandKind.Effect);
    private static readonly CommandDescriptor LoadDescriptor = new("state.load_file", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Move == StateMove.Save ? SaveDescriptor : LoadDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Path));
        if (Flags is { } flags)
        {
            head.Named("flags"u8, (long)flags);
        }
    }
}

/// <summary>Whether a state is saved or loaded.</summary>
public enum StateMove
{
    /// <summary>Saves the state.</summary>
    Save,

    /// <summary>Loads the state.</summary>
    Load,
}

/// <summary>The parts of a save state besides the machine.</summary>
[Flags]
[SuppressMessage("Naming", "CA1711", Justification = "flags is what mGBA and its users call them")]
public enum StateFlags
{
    None = 0,
    Screenshot = 1,
    SaveData = 2,
    Cheats = 4,
    Clock = 8,
    Metadata = 16,

    /// <summary>The default parts for loading: not the save data, which would undo what the game has saved since, and no cheats.</summary>
    UsualForLoad = Screenshot | Clock | Metadata,

    /// <summary>Everything.</summary>
    All = Screenshot | SaveData | Cheats | Clock | Metadata,
}
