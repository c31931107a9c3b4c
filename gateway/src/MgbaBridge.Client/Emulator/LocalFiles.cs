using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Client.Emulator;

/// <summary>
/// Checks a file before an emulator on this machine opens it. The script sees neither symbolic links nor special files, and opening a FIFO
/// blocks the emulator.
/// </summary>
internal static class LocalFiles
{
    /// <summary>Whether a script at this host opens files of this machine. A script behind a tunnel does not; its folders rarely exist here.</summary>
    public static bool AreAt(string host) => LocalListeners.IsHere(host);

    /// <summary>Why the file must not be opened, or null. Does not check what the script refuses itself.</summary>
    /// <param name="path">The file as the caller names it.</param>
    /// <param name="folders">The script's folders.</param>
    public static CommandFailure? Check(string path, IReadOnlyList<string> folders)
    {
        var (folder, rest) = Split(path.Replace('\\', '/'), folders);
        if (folder is null || !Directory.Exists(folder))
        {
            return null;
        }

        var current = folder;
        foreach (var name in rest.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            current = $"{current}/{name}";
            switch (KindOrNull(current))
            {
                case null:
                    return Forbidden(path, "is not a usable name: it is too long for a file, or has characters that file names cannot have");
                case FileKind.Absent:
                    return null;
                case FileKind.Link:
                    return Forbidden(current, "is a symbolic link; files are only opened below MGBA_BRIDGE_FOLDERS itself");
                case FileKind.Special:
                    return Forbidden(current, "is not a regular file");
            }
        }

        return null;
    }

    /// <summary>The kind of the file. Special files are recognized on Linux only.</summary>
    public static FileKind KindOf(string path)
    {
        var file = new FileInfo(path);
        return (int)file.Attributes == -1 ? FileKind.Absent
            : file.LinkTarget is not null ? FileKind.Link
            : file.Attributes.HasFlag(FileAttributes.Directory) ? FileKind.Folder
            : FileStatus.Of(path, followLink: false) is { IsRegular: false } ? FileKind.Special
            : FileKind.File;
    }

    private static FileKind? KindOrNull(string path)
    {
        try
        {
            return KindOf(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return null;
        }
    }

    private static (string? Folder, string Below) Split(string path, IReadOnlyList<string> folders)
    {
        var roots = folders.Select(folder => folder.Replace('\\', '/').TrimEnd('/'));
        return path.StartsWith('/') || path is [_, ':', '/', ..]
            ? roots.Where(root => path.StartsWith($"{root}/", StringComparison.Ordinal)).Select(root => ((string?)root, path[root.Length..])).FirstOrDefault((null, ""))
            : (roots.FirstOrDefault(), path);
    }

    private static CommandFailure Forbidden(string path, string reason) => new(CommandFailureKind.Rejected, $"{path} {reason}.") { Code = ErrorCode.Forbidden };
}

/// <summary>The kind of a file, without following links.</summary>
internal enum FileKind
{
    /// <summary>Nothing, or nothing that this process can see.</summary>
    Absent,

    /// <summary>A regular file.</summary>
    File,

    /// <summary>A folder.</summary>
    Folder,

    /// <summary>A symbolic link or, on Windows, a junction.</summary>
    Link,

    /// <summary>A FIFO, a socket or a device.</summary>
    Special,
}
