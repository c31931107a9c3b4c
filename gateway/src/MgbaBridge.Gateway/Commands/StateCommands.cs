using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Takes the state of the whole machine. The reply's tail has it.</summary>
/// <param name="Flags">What goes in; null for the script's default.</param>
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

/// <summary>Puts the whole machine into a state.</summary>
/// <param name="State">The bytes of a state, raw or PNG.</param>
/// <param name="Flags">What is taken; null for the script's default.</param>
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

/// <summary>Saves a state in a slot beside the game, or loads it.</summary>
/// <param name="Move">Which of the two.</param>
/// <param name="Slot">0..9.</param>
/// <param name="Flags">What goes in or is taken; null for the script's default.</param>
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

/// <summary>Saves a state in a file, or loads it.</summary>
/// <param name="Move">Which of the two.</param>
/// <param name="Path">The file, on the script's side.</param>
/// <param name="Flags">What goes in or is taken; null for the script's default.</param>
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

/// <summary>Which way a state goes.</summary>
public enum StateMove
{
    /// <summary>From the game to where it is kept.</summary>
    Save,

    /// <summary>Back into the game.</summary>
    Load,
}

/// <summary>What a save state has in it besides the machine.</summary>
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

    /// <summary>What loading takes unless told otherwise: not the save data, which would undo what the game has saved since, and no cheats.</summary>
    UsualForLoad = Screenshot | Clock | Metadata,

    /// <summary>Everything.</summary>
    All = Screenshot | SaveData | Cheats | Clock | Metadata,
}
