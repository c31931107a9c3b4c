using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace MgbaBridge.Client.Emulator;

/// <summary>What Linux knows about a file.</summary>
/// <param name="Mode">Its type and permissions.</param>
/// <param name="Owner">The user that it belongs to.</param>
/// <param name="Group">The group that it belongs to.</param>
/// <param name="Inode">With <paramref name="Device"/>, which file it is.</param>
/// <param name="Device">Where it is.</param>
internal readonly partial record struct FileStatus(int Mode, uint Owner, uint Group, ulong Inode, ulong Device)
{
    private const int TypeMask = 0xF000;
    private const int Regular = 0x8000;
    private const int GroupWrite = 0x10;
    private const int OtherWrite = 0x2;
    private const int Sticky = 0x200; // in such a folder only the owner of a file renames and deletes it

    /// <summary>Whether it is a regular file.</summary>
    public bool IsRegular => (Mode & TypeMask) == Regular;

    /// <summary>Whether it belongs to the user of this process, or to root.</summary>
    public bool IsOurs => Owner == UserId() || Owner == 0;

    /// <summary>Whether users other than its owner may write it: everybody, or a group that is not the user's own.</summary>
    public bool IsWritableByOthers => (Mode & OtherWrite) != 0 || ((Mode & GroupWrite) != 0 && Group != GroupId());

    /// <summary>Whether only the owners of the files in this folder can replace them.</summary>
    public bool IsSticky => (Mode & Sticky) != 0;

    /// <summary>The permissions, in octal.</summary>
    public string Permissions => Convert.ToString(Mode & 0xFFF, 8).PadLeft(4, '0');

    /// <summary>The status of a file; null where the system has none.</summary>
    /// <param name="path">The file.</param>
    /// <param name="followLink">Whether a link is followed to its target.</param>
    public static FileStatus? Of(string path, bool followLink)
    {
        const int CurrentFolder = -100; // AT_FDCWD
        const int LinkItself = 0x100; // AT_SYMLINK_NOFOLLOW
        return Of(CurrentFolder, path, followLink ? 0 : LinkItself);
    }

    /// <summary>The status of an open file; null where the system has none.</summary>
    public static FileStatus? Of(SafeFileHandle file)
    {
        const int HandleItself = 0x1000; // AT_EMPTY_PATH
        return Of((int)file.DangerousGetHandle(), "", HandleItself);
    }

    private static FileStatus? Of(int folder, string path, int flags)
    {
        const uint Basic = 0x7FF; // STATX_BASIC_STATS
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        // offsets of struct statx are the same on all architectures, unlike those of struct stat
        Span<byte> status = stackalloc byte[256];
        try
        {
            return StatX(folder, path, flags, Basic, status) != 0 ? null : new FileStatus(
                MemoryMarshal.Read<ushort>(status[28..]), MemoryMarshal.Read<uint>(status[20..]), MemoryMarshal.Read<uint>(status[24..]),
                MemoryMarshal.Read<ulong>(status[32..]), MemoryMarshal.Read<ulong>(status[136..]));
        }
        catch (EntryPointNotFoundException)
        {
            return null; // a C library of before 2018
        }
    }

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int StatX(int folder, string path, int flags, uint mask, Span<byte> status);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint UserId();

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "getegid")]
    private static partial uint GroupId();
}
