using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Status;

/// <summary>The process of an emulator that the gateway started.</summary>
public sealed record ProcessAnswer
{
    /// <summary>The process id; 0 while it is being restarted.</summary>
    public required int Pid { get; init; }

    /// <summary>The ROM that it was started with: for owners its path, for others its name.</summary>
    public required string Rom { get; init; }

    /// <summary>The CRC32 of that file as the emulator read it; absent when it cannot be read.</summary>
    public string? RomCrc32 { get; init; }

    /// <summary>The CRC32 of what the file has now, when it was built again since: `emulators.restart` loads it. Absent when it is the same, and for a window.</summary>
    public string? NewRomCrc32 { get; init; }

    /// <summary>Whether it runs in a window.</summary>
    public required bool Window { get; init; }

    /// <summary>When the process started.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Seconds since then.</summary>
    public required double UptimeSeconds { get; init; }

    /// <summary>Resident memory.</summary>
    public required long MemoryBytes { get; init; }

    /// <summary>Processor time since its start.</summary>
    public required double CpuSeconds { get; init; }

    /// <summary>Frames a second over the last two seconds; absent for a window.</summary>
    public double? Fps { get; init; }

    /// <summary>Frames a second that were set, 0 for as fast as possible; absent for the console's own rate.</summary>
    public double? TargetFps { get; init; }

    /// <summary>The highest frame rate that somebody holds by `speed.hold`; absent when nobody does. It runs at this one while it is higher than `targetFps`.</summary>
    public double? HeldFps { get; init; }

    /// <summary>Whether it was paused by `emulators.run`.</summary>
    public required bool Paused { get; init; }

    /// <summary>How often it was restarted after a fault.</summary>
    public required int Restarts { get; init; }

    /// <summary>The folder of its save file; for owners.</summary>
    public required string? Saves { get; init; }

    /// <summary>The file with what it prints; for owners.</summary>
    public required string? Log { get; init; }

    /// <summary>What its user has to do before it can be used; absent if nothing.</summary>
    public string? NextStep { get; init; }

    /// <summary>Why the last automatic state that was due could not be taken or kept; absent when it was. Until then a fault loses more play.</summary>
    public string? StateProblem { get; init; }

    /// <summary>The last fault; absent if there was none.</summary>
    public FaultAnswer? LastFault { get; init; }

    private static string? HexOf(uint? crc32) => crc32 is { } number ? Hex.Of(number) : null;

    /// <summary>It as a caller sees it.</summary>
    internal ProcessAnswer For(Caller caller) => this with
    {
        Rom = ShownText.File(caller, Rom),
        Saves = null,
        Log = null,
        NextStep = ShownText.For(caller, NextStep),
        LastFault = LastFault is null ? null : LastFault with { Reason = ShownText.For(caller, LastFault.Reason), Log = null },
    };

    /// <summary>The answer for an owned emulator.</summary>
    internal static ProcessAnswer Of(OwnedEmulator emulator)
    {
        var status = emulator.Status;
        return new ProcessAnswer
        {
            Pid = status.ProcessId,
            Rom = emulator.Request.Rom,
            RomCrc32 = HexOf(status.RomCrc32),
            NewRomCrc32 = HexOf(status.NewRomCrc32),
            Window = emulator.Request.Options.Window,
            StartedAt = status.StartedAt,
            UptimeSeconds = status.ProcessId == 0 ? 0 : Math.Max(0, Math.Round((DateTimeOffset.UtcNow - status.StartedAt).TotalSeconds, 1)),
            MemoryBytes = status.Memory,
            CpuSeconds = status.Cpu.TotalSeconds,
            Fps = status.Fps,
            TargetFps = status.TargetFps,
            HeldFps = status.HeldFps,
            Paused = status.IsPaused,
            Restarts = status.Restarts,
            Saves = status.Saves,
            Log = status.LogFile,
            NextStep = status.NextStep,
            StateProblem = status.StateProblem,
            LastFault = status.LastFault is { } fault ? new FaultAnswer(fault.At, fault.Reason, fault.RestartedAt, fault.RestoredFrom, fault.LostSeconds, fault.LogFile) : null,
        };
    }
}

/// <summary>A fault of an emulator that the gateway started.</summary>
/// <param name="At">When it was found.</param>
/// <param name="Reason">What happened.</param>
/// <param name="RestartedAt">When the emulator answered again; absent while it does not.</param>
/// <param name="RestoredFrom">The state that it continued from; absent when the game started from its save file.</param>
/// <param name="LostSeconds">Seconds of play that were lost, at most.</param>
/// <param name="Log">The file with the last lines that the emulator printed; for owners.</param>
public sealed record FaultAnswer(DateTimeOffset At, string Reason, DateTimeOffset? RestartedAt, string? RestoredFrom, double? LostSeconds, string? Log);
