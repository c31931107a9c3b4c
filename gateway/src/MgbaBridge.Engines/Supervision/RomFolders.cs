using System.Globalization;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Bundled;

namespace MgbaBridge.Engines.Supervision;

/// <summary>The ROMs that callers may start: those below the configured folders, and uploaded ones.</summary>
/// <param name="options">The configured folders.</param>
/// <param name="uploads">The uploaded ones.</param>
internal sealed class RomFolders(OwnedEmulatorOptions options, RomUploads uploads)
{
    /// <summary>How many files a list looks at.</summary>
    public const int MaxLooked = 20_000;

    /// <summary>How the names of ROMs end.</summary>
    public static IReadOnlyList<string> Extensions { get; } = [".gba", ".gb", ".gbc", ".sgb", ".agb", ".mb"];

    private static readonly EnumerationOptions Below = new() { RecurseSubdirectories = true, MaxRecursionDepth = 8, AttributesToSkip = FileAttributes.ReparsePoint | FileAttributes.Hidden };

    private static readonly StringComparison Comparison = OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;

    private readonly string[] _configured =
    [
        .. Whole(options.RomFolders.Concat(options.Roms.Where(static rom => !BundledGames.Has(rom)).Select(rom => Path.GetDirectoryName(Path.GetFullPath(rom))!))).Distinct(),
    ];

    /// <summary>The folders: that of uploaded ROMs, those of the setting, and those of the ROMs that the gateway plays from its start.</summary>
    public IReadOnlyList<string> Folders => uploads.Folder is { } folder ? [folder, .. _configured] : _configured;

    /// <summary>The ROMs below the folders as callers may name them, at most so many of the first <see cref="MaxLooked"/> files; links are skipped.</summary>
    public IReadOnlyList<string> List(int limit) =>
    [
        .. Folders.SelectMany(folder => FilesOf(folder).Select(path => (Folder: folder, Path: path))).Take(MaxLooked)
            .Where(file => IsRomName(file.Path) && KindOf(file.Path, file.Folder) == FileKind.File)
            .Select(file => Path.GetRelativePath(file.Folder, file.Path)).Distinct().Take(limit).Order(StringComparer.OrdinalIgnoreCase),
    ];

    /// <summary>Those whose names are not UTF-8, in which U+FFFD is what cannot be read, at most so many: no program of .NET can open them.</summary>
    public IReadOnlyList<string> Misnamed(int limit) =>
    [
        .. Folders.SelectMany(FilesOf).Take(MaxLooked).Where(static path => IsRomName(path) && IsMisnamed(path)).Select(static path => Path.GetFileName(path)!).Take(limit),
    ];

    private static bool IsMisnamed(string path) => path.Contains('\uFFFD', StringComparison.Ordinal) && !File.Exists(path);

    /// <summary>Whether a name ends like that of a ROM.</summary>
    public static bool IsRomName(string name) => Extensions.Contains(Path.GetExtension(name), StringComparer.OrdinalIgnoreCase);

    /// <summary>Why the file that a user of this machine names cannot be a ROM, or null.</summary>
    public static string? Problem(string rom) => File.Exists(rom) ? RomArchive.Read(rom)?.Problem is { } problem ? $"{rom}: {problem}" : null
        : rom.Length == 0 ? "ROM is empty; name a GBA, GB or GBC ROM."
        : rom.Contains('\uFFFD', StringComparison.Ordinal) ? $"The name {rom} is not UTF-8, so this program cannot open it. Rename the file (mv, with Tab to complete the name)."
        : Directory.Exists(rom) ? $"{rom} is a folder; name a GBA, GB or GBC ROM in it."
        : $"{rom} does not exist; name a GBA, GB or GBC ROM.";

    /// <summary>Finds a ROM that a caller names: a whole path, or one relative to any of the folders. The result is a path or a failure.</summary>
    public (string? Path, SupervisionResult Failure) Find(string rom) => Find(rom, Folders);

    /// <summary>Whether a ROM is in the folders of the settings, which other programs have, too, and can be read there.</summary>
    public SupervisionResult CheckConfigured(string rom)
    {
        var (path, failure) = Find(rom, [.. Whole(options.RomFolders)]);
        try
        {
            if (path is not null)
            {
                File.OpenRead(path).Dispose();
            }

            return failure;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return SupervisionResult.Refused(SupervisionFailure.RomMissing, $"{rom} cannot be read: {exception.Message}");
        }
    }

    /// <summary>Finds another file that a caller names, in the same folders.</summary>
    /// <param name="file">Its name.</param>
    /// <param name="parameter">The parameter that has it.</param>
    /// <param name="kind">What it is.</param>
    /// <param name="missing">How it fails when there is none.</param>
    public (string? Path, SupervisionResult Failure) Find(string file, string parameter, string kind, SupervisionFailure missing) => Find(file, parameter, kind, missing, Folders);

    private static IEnumerable<string> Whole(IEnumerable<string> folders) => folders.Select(folder => Path.GetFullPath(folder).TrimEnd(Path.DirectorySeparatorChar));

    private (string? Path, SupervisionResult Failure) Find(string rom, IReadOnlyList<string> folders) => Find(rom, "rom", "a GBA, GB or GBC ROM", SupervisionFailure.RomMissing, folders);

    private (string? Path, SupervisionResult Failure) Find(string file, string parameter, string kind, SupervisionFailure missing, IReadOnlyList<string> folders)
    {
        if (folders.Count == 0)
        {
            return (null, SupervisionResult.Refused(
                SupervisionFailure.RomForbidden, "No ROM was uploaded, and no folder for ROMs is configured. Upload it, or set Bridge:Owned:RomFolders:0 to the folder of your ROMs."));
        }

        if (file.Length == 0 || file.Contains('\0', StringComparison.Ordinal))
        {
            return (null, SupervisionResult.Refused(missing, $"{parameter} must name a file."));
        }

        var paths = Path.IsPathRooted(file) ? [Path.GetFullPath(file)] : folders.Select(folder => Path.GetFullPath(file, folder)).ToArray();
        var allowed = paths.Select(path => (Path: path, Folder: folders.FirstOrDefault(folder => IsBelow(path, folder)))).Where(found => found.Folder is not null).ToArray();
        if (allowed.Length == 0)
        {
            return (null, Forbidden($"{file} is outside the folders for ROMs ({string.Join(", ", folders)})."));
        }

        foreach (var (path, folder) in allowed)
        {
            switch (KindOf(path, folder!))
            {
                case FileKind.File:
                    return (path, default);
                case FileKind.Link:
                    return (null, Forbidden($"{file} is or passes through a symbolic link."));
                case FileKind.Folder or FileKind.Special:
                    return (null, SupervisionResult.Refused(missing, $"{file} is not a file; name {kind}."));
            }
        }

        return (null, SupervisionResult.Refused(missing, $"{file} does not exist below {string.Join(", ", folders)}."));
    }

    private static IEnumerable<string> FilesOf(string folder) => Directory.Exists(folder) ? Directory.EnumerateFiles(folder, "*", Below) : [];

    private SupervisionResult Forbidden(string what) => SupervisionResult.Refused(SupervisionFailure.RomForbidden, string.Create(
        CultureInfo.InvariantCulture, $"{what} Copy the file into one of the folders, or add its folder to Bridge:Owned:RomFolders: mgba-bridge … --Bridge:Owned:RomFolders:{options.RomFolders.Length}=FOLDER"));

    private static bool IsBelow(string path, string folder) => path.StartsWith(folder + Path.DirectorySeparatorChar, Comparison);

    // the folder itself may be a link: the operator chose it
    private static FileKind KindOf(string path, string folder)
    {
        var current = folder;
        var kind = FileKind.Folder;
        foreach (var name in path[(folder.Length + 1)..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries))
        {
            current = Path.Combine(current, name);
            kind = Try(current);
            if (kind != FileKind.Folder)
            {
                break;
            }
        }

        return kind == FileKind.File && current.Length != path.Length ? FileKind.Absent : kind;
    }

    private static FileKind Try(string path)
    {
        try
        {
            return LocalFiles.KindOf(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return FileKind.Absent;
        }
    }
}
