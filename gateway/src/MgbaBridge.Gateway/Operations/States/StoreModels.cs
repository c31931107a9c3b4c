using System.Globalization;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Operations.States;

/// <summary>A state that the gateway keeps.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">Why it is kept: `named` (by a caller), `before-save` (how the game was before it got other save data), or `automatic` (taken regularly, to continue from after a fault).</param>
/// <param name="Emulator">The emulator that it was taken of.</param>
/// <param name="Title">The game's title.</param>
/// <param name="Code">The game's code as mGBA reports it.</param>
/// <param name="Platform">`gba` or `gb`.</param>
/// <param name="Crc32">The CRC32 of the ROM, `0x` and eight hex digits.</param>
/// <param name="Frame">The script's frame count when it was taken.</param>
/// <param name="SavedAt">When it was taken.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="Sha256">The hash of its bytes, which is also its `ETag`.</param>
/// <param name="Picture">Whether `states.picture` shows it.</param>
/// <param name="Temporary">Whether it is deleted when its holder's stream ends.</param>
public sealed record StoredStateAnswer(
    string Name, string Kind, string Emulator, string Title, string Code, string Platform, string Crc32, long Frame, DateTimeOffset SavedAt, long Bytes, string Sha256, bool Picture, bool Temporary)
{
    /// <summary>The answer for a state.</summary>
    internal static StoredStateAnswer Of(StoredState state) => new(
        state.Name, KindOf(state.Kind), state.Emulator, state.Game.Title, state.Game.Code, state.Game.Platform, $"0x{state.Game.Crc32.ToString("X8", CultureInfo.InvariantCulture)}",
        state.Frame, state.SavedAt, state.Bytes, state.Sha256, state.HasPicture, state.Holder is not null);

    private static string KindOf(StateKind kind) => kind switch
    {
        StateKind.BeforeSave => "before-save",
        StateKind.Automatic => "automatic",
        _ => "named",
    };
}

/// <summary>All states, newest first.</summary>
/// <param name="States">The states.</param>
/// <param name="Bytes">Their size together.</param>
/// <param name="MaxStates">How many of each kind there may be.</param>
/// <param name="MaxBytes">The bytes that those of each kind may have together.</param>
public sealed record StoredStatesAnswer(IReadOnlyList<StoredStateAnswer> States, long Bytes, int MaxStates, long MaxBytes);

/// <summary>The content of a state.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Sha256">The hash of its bytes.</param>
/// <param name="Bytes">The state, in base64.</param>
public sealed record StoredBytesAnswer(string Name, string Sha256, ReadOnlyMemory<byte> Bytes);

/// <summary>The picture of a state.</summary>
/// <param name="Name">The state's name.</param>
/// <param name="Bytes">A PNG, in base64.</param>
public sealed record StoredPictureAnswer(string Name, ReadOnlyMemory<byte> Bytes);

/// <summary>A state to keep.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Replace">Whether it takes the place of a state of this name.</param>
/// <param name="Temporary">Whether it is deleted when the holder's stream ends.</param>
public sealed record StoreStateRequest(string Name, bool Replace, bool Temporary = false);

/// <summary>A state to continue from.</summary>
/// <param name="Name">Its name.</param>
/// <param name="AnyRom">Whether it may be of another ROM of the console.</param>
public sealed record LoadStoredRequest(string Name, bool AnyRom);

/// <summary>A state that was loaded.</summary>
/// <param name="Frame">The script's frame count.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Warning">Why the game may not run as before; absent when the state is of its ROM.</param>
/// <param name="Kept">The name of the state before, whose save data the game's next save replaces; absent when that is the same or is kept already.</param>
public readonly record struct StoredLoadedAnswer(long Frame, Epoch Epoch, string? Warning, string? Kept);

/// <summary>Two states to compare.</summary>
/// <param name="Name">The first one.</param>
/// <param name="With">The second one.</param>
public sealed record StatePair(string Name, string With);

/// <summary>Where two states differ.</summary>
/// <param name="Bytes">How many bytes differ in all.</param>
/// <param name="Regions">Where, by region.</param>
public sealed record ComparisonAnswer(int Bytes, IReadOnlyList<RegionAnswer> Regions);

/// <summary>Where a region of two states differs.</summary>
/// <param name="Name">The region: `machine` (registers and devices), `io`, `palette`, `oam`, `vram`, `iwram`, `wram`, `hram` or `super` (Super Game Boy).</param>
/// <param name="Length">Its size.</param>
/// <param name="Address">Where it begins on the bus; absent for what has no address.</param>
/// <param name="Bytes">How many bytes differ.</param>
/// <param name="Runs">Where, at most 64.</param>
/// <param name="MoreRuns">How many follow that are not listed.</param>
public sealed record RegionAnswer(string Name, int Length, string? Address, int Bytes, IReadOnlyList<RunAnswer> Runs, int MoreRuns)
{
    /// <summary>The answer for a region.</summary>
    internal static RegionAnswer Of(RegionDifference region) => new(
        region.Name, region.Length, region.Address is { } address ? $"0x{address.ToString("X8", CultureInfo.InvariantCulture)}" : null, region.Bytes,
        [.. region.Runs.Select(run => new RunAnswer(run.Offset, run.Length))], region.MoreRuns);
}

/// <summary>Bytes next to each other that differ; up to four equal ones may lie between.</summary>
/// <param name="Offset">Where they begin in the region.</param>
/// <param name="Length">How many there are.</param>
public readonly record struct RunAnswer(int Offset, int Length);
