namespace MgbaBridge.Gateway.Operations.Emulators;

/// <summary>How an emulator is to run.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Paused">Whether it is paused; null leaves that as it is.</param>
/// <param name="Fps">Frames a second; null leaves that as it is.</param>
public sealed record RunRequest(string Id, bool? Paused, double? Fps);

/// <summary>What an emulator printed.</summary>
/// <param name="Lines">The last lines, oldest first: at most 200, each with at most 1000 characters.</param>
public sealed record EmulatorLogAnswer(IReadOnlyList<string> Lines);

/// <summary>The ROMs that can be started.</summary>
/// <param name="Roms">Names of uploaded ones, and paths relative to one of `Bridge:Owned:RomFolders`, by name: at most 1000.</param>
/// <param name="Misnamed">Files whose names are not UTF-8, with U+FFFD for what cannot be read: rename them to start them. Absent if there are none.</param>
public sealed record RomsAnswer(IReadOnlyList<string> Roms, IReadOnlyList<string>? Misnamed = null);

/// <summary>A ROM that was uploaded.</summary>
/// <param name="Rom">The name under which it can be started.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="IsNew">Whether it was not there before.</param>
/// <param name="Emulator">An emulator of the gateway that runs the same bytes, without a patch; absent if none does.</param>
/// <param name="LeftOut">Save data, patches and cheats in the zip archive, which are not used, at most eight. Absent if there are none.</param>
public sealed record RomUploadedAnswer(string Rom, long Bytes, bool IsNew, string? Emulator, IReadOnlyList<string>? LeftOut);

/// <summary>A ROM that was deleted.</summary>
/// <param name="Rom">Its name.</param>
public sealed record RomDeletedAnswer(string Rom);
