using System.Diagnostics;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// Folders and files that this program writes by itself, in which nobody else may have put links: such a link would make it write where the other
/// user cannot.
/// </summary>
internal static class OwnFiles
{
    private const int Attempts = 10;
    private const int SharingViolation = unchecked((int)0x80070020); // ERROR_SHARING_VIOLATION of Windows
    private const UnixFileMode FolderMode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
        | UnixFileMode.GroupRead | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;

    private static readonly TimeSpan HeldTimeout = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(20);

    /// <summary>Creates a folder that others cannot write, unless it exists, and checks that they cannot.</summary>
    /// <param name="path">The folder.</param>
    /// <param name="isRoot">Whether only folders of this program are in it: then others may add files that it never opens.</param>
    /// <exception cref="UnauthorizedAccessException">It belongs to another user, or others can write it.</exception>
    public static string Folder(string path, bool isRoot = false)
    {
        var folder = OperatingSystem.IsWindows() ? Directory.CreateDirectory(path).FullName : Directory.CreateDirectory(path, FolderMode).FullName;
        if (FileStatus.Of(folder, followLink: false) is { } link && FileStatus.Of(folder, followLink: true) is { } status)
        {
            if (!link.IsOurs || !status.IsOurs)
            {
                throw new UnauthorizedAccessException($"{folder} belongs to another user (uid {(link.IsOurs ? status : link).Owner}), who could change what is in it.");
            }

            if (status.IsWritableByOthers && !(isRoot && status.IsSticky))
            {
                throw new UnauthorizedAccessException($"{folder} can be written by other users (mode {status.Permissions}), who could change what is in it. Take that away (chmod go-w {folder}), if what is in it is yours.");
            }
        }

        return folder;
    }

    /// <summary>Whether nobody else can change what is in a folder: not in the folder itself, nor by putting another one in place of it or of one above it.
    /// False where the system does not say it.</summary>
    public static bool IsOursAlone(string folder)
    {
        for (string? path = folder, child = null; path is not null; (child, path) = (path, Path.GetDirectoryName(path)))
        {
            if (FileStatus.Of(path, followLink: false) is not { IsOurs: true } status || LocalFiles.KindOf(path) != FileKind.Folder
                || (status.IsWritableByOthers && !(child is not null && status.IsSticky)))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Moves a file over another.</summary>
    /// <exception cref="IOException">On Windows: another program has one of them open. A virus scanner has for a moment, which is waited for.</exception>
    public static void Replace(string file, string target)
    {
        for (var began = Stopwatch.GetTimestamp(); ; Thread.Sleep(LookEvery))
        {
            try
            {
                File.Move(file, target, overwrite: true);
                return;
            }
            catch (Exception exception) when (IsHeld(exception))
            {
                if (Stopwatch.GetElapsedTime(began) >= HeldTimeout)
                {
                    throw new IOException($"{target} is open in another program. Close it there, and try again.", exception);
                }
            }
        }
    }

    /// <summary>Opens a file for itself, without following a link.</summary>
    /// <exception cref="IOException">Another process has it open.</exception>
    /// <exception cref="UnauthorizedAccessException">It is a link, is not a regular file, or belongs to another user.</exception>
    public static FileStream OpenOrCreate(string path)
    {
        for (var attempt = 1; ; attempt++)
        {
            var kind = LocalFiles.KindOf(path);
            if (kind is not (FileKind.Absent or FileKind.File))
            {
                throw NotOurs(path);
            }

            try
            {
                var file = new FileStream(path, kind == FileKind.Absent ? FileMode.CreateNew : FileMode.Open, FileAccess.ReadWrite, FileShare.None, bufferSize: 0);
                var named = FileStatus.Of(path, followLink: false);
                var opened = FileStatus.Of(file.SafeFileHandle);
                if (named is null || opened is null || (named == opened && opened.Value is { IsRegular: true, IsOurs: true }))
                {
                    return file;
                }

                file.Dispose();
                if (named.Value is not { IsRegular: true, IsOurs: true })
                {
                    throw NotOurs(path);
                }

                // what was opened is not what the path itself names: a file that was replaced meanwhile, or the target of a link that was there for a moment
                if (attempt == Attempts)
                {
                    throw new IOException($"{path} is replaced again and again by another process.");
                }
            }
            catch (IOException) when (attempt < Attempts && (LocalFiles.KindOf(path) == FileKind.Absent) != (kind == FileKind.Absent))
            {
                // it was created or deleted meanwhile
            }
        }
    }

    /// <summary>Creates a file in place of what is there, without following a link.</summary>
    public static FileStream Create(string path)
    {
        File.Delete(path); // a link itself
        return new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);
    }

    private static bool IsHeld(Exception exception) => OperatingSystem.IsWindows() && exception is UnauthorizedAccessException or IOException { HResult: SharingViolation };

    private static UnauthorizedAccessException NotOurs(string path) => new($"{path} is a link, not a regular file, or belongs to another user. Remove it, if you do not need it.");
}
