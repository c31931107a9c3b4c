using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct LoadState
{
    private readonly (ReadOnlySequence<byte> State, string? Problem) _unpacked = StateContainer.Unpack(State);

    /// <summary>The raw state.</summary>
    public ReadOnlySequence<byte> State => _unpacked.State;

    /// <summary>What is wrong with the file that the state is packed in; null for nothing.</summary>
    public string? Problem => _unpacked.Problem;

    public static FailureReport? RefusalOf(in LoadState command) => command.Problem is { } problem ? new FailureReport(Failure.Rejected, problem) { Code = RefusalCode.NotAState } : null;
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
    DefaultForLoad = Screenshot | Clock | Metadata,

    /// <summary>Everything.</summary>
    All = Screenshot | SaveData | Cheats | Clock | Metadata,
}
