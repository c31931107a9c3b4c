using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Supervision;

namespace MgbaBridge.Gateway.Api.Owned;

/// <summary>An emulator to start.</summary>
public sealed record StartEmulatorBody
{
    private const int MaxId = 32;

    /// <summary>The ROM: a path below one of `Bridge:Owned:RomFolders`, whole or relative to one of them.</summary>
    public required string Rom { get; init; }

    /// <summary>The name of the state to continue from; without one the game starts as after switching it on, with its save file.</summary>
    public string? State { get; init; }

    /// <summary>Frames a second, 0 to 100000; 0 runs as fast as possible. Default: the console's own rate.</summary>
    public double? Fps { get; init; }

    /// <summary>Whether it runs in a window (mgba-qt). Default: without one (mgba-headless).</summary>
    public bool Window { get; init; }

    /// <summary>Its id: 1 to 32 characters of `a-z 0-9 _ -`. Default: the lowest free number.</summary>
    public string? Id { get; init; }

    /// <summary>What is wrong with it, or null.</summary>
    internal string? Check() =>
        Id is { } id && (id.Length is 0 or > MaxId || !id.All(letter => char.IsAsciiLetterLower(letter) || char.IsAsciiDigit(letter) || letter is '_' or '-'))
            ? $"id has 1 to {MaxId} characters of a-z, 0-9, _ and -, not \"{id}\"."
            : Window && Fps is not null ? "fps cannot be set for a window; its user chooses its speed. Omit fps or window."
            : RunBody.CheckFps(Fps);
}

/// <summary>Which emulator.</summary>
/// <param name="Id">Its id.</param>
public sealed record EmulatorRequestId([property: JsonRequired] string Id);

/// <summary>How an emulator is to run.</summary>
public sealed record RunBody
{
    /// <summary>Whether it is paused; omitted, that does not change.</summary>
    public bool? Paused { get; init; }

    /// <summary>Frames a second, 0 to 100000; 0 runs as fast as possible. Omitted, that does not change.</summary>
    public double? Fps { get; init; }

    /// <summary>What is wrong with frames a second, or null.</summary>
    internal static string? CheckFps(double? fps) =>
        fps is < 0 or > EmulatorRequest.MaxFps or double.NaN ? FormattableString.Invariant($"fps is {fps}; expected 0 to {EmulatorRequest.MaxFps}.") : null;
}

/// <summary>How an emulator is to run.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Paused">Whether it is paused; null leaves that as it is.</param>
/// <param name="Fps">Frames a second; null leaves that as it is.</param>
public sealed record RunRequest([property: JsonRequired] string Id, bool? Paused = null, double? Fps = null);

/// <summary>What an emulator printed.</summary>
/// <param name="Lines">The last lines, oldest first: at most 200, each with at most 1000 characters.</param>
public sealed record EmulatorLogAnswer(IReadOnlyList<string> Lines);

/// <summary>The ROMs that can be started.</summary>
/// <param name="Roms">Paths relative to one of `Bridge:Owned:RomFolders`, by name: at most 1000.</param>
public sealed record RomsAnswer(IReadOnlyList<string> Roms);
