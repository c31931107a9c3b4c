namespace MgbaBridge.Gateway.Emulator;

/// <summary>What stands under a path, links not followed.</summary>
internal enum FileKind
{
    /// <summary>Nothing, or nothing this process may see.</summary>
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
