using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Supervision;

/// <summary>What an owned emulator is to run.</summary>
/// <param name="Rom">The ROM, as a whole path.</param>
/// <param name="Options">What it is started with, with whole paths of files.</param>
internal sealed record EmulatorRequest(string Rom, EmulatorOptions Options)
{
    /// <summary>Its id, or null for the lowest free number.</summary>
    public string? Id { get; init; }

    /// <summary>The kept state to continue from, or null to start the game.</summary>
    public StoredState? State { get; init; }

    /// <summary>The port of its script, or null for a free one.</summary>
    public int? Port { get; init; }

    /// <summary>Until when effects may be sent to it; null without a limit.</summary>
    public HostLease? Lease { get; init; }

    /// <summary>Whether it continues from the newest automatic state when the last run of the ROM did not end in order.</summary>
    public bool Continues { get; init; }

    /// <summary>The files of its options that nobody named: they are beside its ROM.</summary>
    public IReadOnlyList<string> Beside { get; init; } = [];

    /// <summary>Whether its save file is one of its own, which begins as that of the state.</summary>
    public bool SaveOfState { get; init; }
}

/// <summary>Why an emulator was not started, stopped or changed.</summary>
public enum SupervisionFailure
{
    /// <summary>There are as many as the settings allow.</summary>
    TooMany,

    /// <summary>Another emulator has the id.</summary>
    IdTaken,

    /// <summary>The ROM is outside the folders that the settings name.</summary>
    RomForbidden,

    /// <summary>There is no such ROM.</summary>
    RomMissing,

    /// <summary>There is no such patch.</summary>
    PatchMissing,

    /// <summary>There is no such file of cheats.</summary>
    CheatsMissing,

    /// <summary>There is no such BIOS.</summary>
    BiosMissing,

    /// <summary>The emulator program is not installed.</summary>
    ProgramMissing,

    /// <summary>It did not start.</summary>
    StartFailed,

    /// <summary>It did not start, because the ROM cannot have its options or they do not go together.</summary>
    OptionsRefused,

    /// <summary>It did not answer in time when it started.</summary>
    StartTimedOut,

    /// <summary>The gateway did not start it.</summary>
    NotOwned,

    /// <summary>No emulator has the id.</summary>
    NoSuchEmulator,

    /// <summary>This kind of emulator cannot do that.</summary>
    Unsupported,

    /// <summary>It does not answer.</summary>
    NoAnswer,
}

/// <summary>What came of a request to the supervisor.</summary>
/// <param name="Emulator">The emulator, or null.</param>
/// <param name="Failure">Why there is none, or null.</param>
/// <param name="Detail">What went wrong and what to change; null if nothing did.</param>
internal readonly record struct SupervisionResult(OwnedEmulator? Emulator, SupervisionFailure? Failure, string? Detail)
{
    /// <summary>It was done.</summary>
    public static SupervisionResult Of(OwnedEmulator emulator) => new(emulator, null, null);

    /// <summary>It was not done.</summary>
    public static SupervisionResult Refused(SupervisionFailure failure, string detail) => new(null, failure, detail);
}

/// <summary>A fault of an owned emulator, and what was done about it.</summary>
/// <param name="At">When it was found.</param>
/// <param name="Reason">What happened.</param>
/// <param name="RestartedAt">When the emulator answered again; null while it does not.</param>
/// <param name="RestoredFrom">The state that it continued from; null when the game started from its save file.</param>
/// <param name="LostSeconds">Seconds of play that were lost, at most; null while that is not known.</param>
/// <param name="LogFile">The file with the last lines that the emulator printed; null when it could not be written.</param>
public sealed record EmulatorFault(DateTimeOffset At, string Reason, DateTimeOffset? RestartedAt, string? RestoredFrom, double? LostSeconds, string? LogFile);
