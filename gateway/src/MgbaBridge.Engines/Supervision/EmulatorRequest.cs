using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Supervision;

/// <summary>What an owned emulator is to run.</summary>
/// <param name="Rom">The ROM, as a whole path.</param>
/// <param name="Id">Its id, or null for the lowest free number.</param>
/// <param name="State">The state to continue from, or null to start the game.</param>
/// <param name="Fps">Frames a second, 0 for as fast as possible; null for the console's own rate.</param>
/// <param name="Window">Whether it runs in a window.</param>
/// <param name="Port">The port of its script, or null for a free one.</param>
/// <param name="Lease">Until when effects may be sent to it; null without a limit.</param>
/// <param name="Continues">Whether it continues from the newest automatic state when the last run of the ROM did not end in order.</param>
/// <param name="SaveOfState">Whether its save file is one of its own, which begins as that of the state.</param>
/// <param name="Patch">The patch of the ROM, as a whole path, or null.</param>
/// <param name="Cheats">The file of its cheats, as a whole path, or null.</param>
/// <param name="Paused">Whether it is paused from the start.</param>
/// <param name="Watch">Whether it starts again when its ROM is built again.</param>
internal sealed record EmulatorRequest(
    string Rom, string? Id = null, StoredState? State = null, double? Fps = null, bool Window = false, int? Port = null, EffectLease? Lease = null,
    bool Continues = false, bool SaveOfState = false, string? Patch = null, string? Cheats = null, bool Paused = false, bool Watch = false)
{
    /// <summary>Frames a second at most.</summary>
    public const double MaxFps = 100_000;
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

    /// <summary>The emulator program is not installed.</summary>
    ProgramMissing,

    /// <summary>It did not start.</summary>
    StartFailed,

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
