using MgbaBridge.Engines.Bundled;

namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// The folder where this gateway keeps states, save files and logs. It is created when it is needed first. Gateways that run at the same time
/// have folders of their own, numbered from 1.
/// </summary>
/// <param name="configured">The folder that the settings name, or null.</param>
/// <param name="logger">Where the chosen folder is logged.</param>
public sealed class DataFolder(string? configured, ILogger<DataFolder> logger) : IDisposable
{
    private const int MaxGateways = 1_000;

    internal static readonly int NoSpace = OperatingSystem.IsWindows() ? unchecked((int)0x80070070) : 28; // ERROR_DISK_FULL, and ENOSPC, as the HResult

    private readonly Lock _gate = new();
    private readonly Lock _writing = new();
    private FileStream? _claim;
    private string? _path;

    /// <summary>The folder, which this gateway alone uses.</summary>
    /// <exception cref="IOException">It cannot be created or written.</exception>
    public string Path
    {
        get
        {
            lock (_gate)
            {
                return _path ??= Claim();
            }
        }
    }

    /// <summary>A folder below it, which is created if need be.</summary>
    /// <exception cref="IOException">It cannot be created.</exception>
    public string Below(params string[] names)
    {
        try
        {
            return names.Aggregate(Path, static (folder, name) => OwnFiles.Folder(System.IO.Path.Combine(folder, name)));
        }
        catch (IOException exception) when (exception.HResult == NoSpace)
        {
            throw Full(exception);
        }
    }

    /// <summary>A file that comes with this program, written into a folder below this one.</summary>
    public string WriteResource(string name, params string[] names)
    {
        var file = System.IO.Path.Combine(Below(names), name);
        var content = BundledGames.Read(name);
        lock (_writing) // several emulators may start at once
        {
            if (!File.Exists(file) || !File.ReadAllBytes(file).AsSpan().SequenceEqual(content))
            {
                WriteAtomically(file, content);
            }
        }

        return file;
    }

    public void Dispose() => _claim?.Dispose();

    /// <summary>Writes a file so that others see either the old content or the whole new one. With <paramref name="suffix"/> several may write it at once.</summary>
    public static void WriteAtomically(string file, ReadOnlySpan<byte> content, string suffix = ".tmp")
    {
        var temporary = file + suffix;
        try
        {
            using (var stream = OwnFiles.Create(temporary))
            {
                stream.Write(content);
                stream.Flush(flushToDisk: true);
            }

            OwnFiles.Replace(temporary, file);
        }
        catch (IOException exception)
        {
            File.Delete(temporary); // what was written would take the room
            if (exception.HResult == NoSpace)
            {
                throw Full(exception);
            }

            throw;
        }
        catch (ArgumentOutOfRangeException exception) // how .NET reports EFBIG
        {
            File.Delete(temporary);
            throw new IOException($"{file} is larger than a file may be here: {content.Length} bytes. Raise the limit on the size of files (ulimit -f, LimitFSIZE of systemd).", exception);
        }
    }

    internal static IOException Full(IOException exception) => new($"{exception.Message}. Free space on that disk.", exception);

    private string Claim()
    {
        var root = string.IsNullOrEmpty(configured) ? DefaultRoot() : System.IO.Path.GetFullPath(configured);
        try
        {
            OwnFiles.Folder(root, isRoot: true);
            for (var number = 1; number <= MaxGateways; number++)
            {
                var folder = OwnFiles.Folder(System.IO.Path.Combine(root, $"{number}"));
                if (TryLock(System.IO.Path.Combine(folder, "lock")))
                {
                    SupervisionLog.DataFolder(logger, folder);
                    return folder;
                }
            }
        }
        catch (IOException exception) when (exception.HResult == NoSpace)
        {
            throw Full(exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new IOException($"{root} cannot be used: {exception.Message} Set Bridge:Owned:DataFolder to a folder that you alone can write.", exception);
        }

        throw new IOException($"{root} has {MaxGateways} folders that are all in use. Set Bridge:Owned:DataFolder to another folder.");
    }

    private bool TryLock(string file)
    {
        try
        {
            _claim = OwnFiles.OpenOrCreate(file);
            return true;
        }
        catch (IOException) when (File.Exists(file))
        {
            return false;
        }
    }

    private static string DefaultRoot()
    {
        const string Name = "mgba-bridge";
        if (!OperatingSystem.IsLinux())
        {
            return System.IO.Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData), Name);
        }

        var state = Environment.GetEnvironmentVariable("XDG_STATE_HOME");
        var home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile, Environment.SpecialFolderOption.DoNotVerify);
        return !string.IsNullOrEmpty(state) && System.IO.Path.IsPathRooted(state) ? System.IO.Path.Combine(state, Name)
            : home.Length > 0 ? System.IO.Path.Combine(home, ".local", "state", Name)
            : System.IO.Path.Combine(System.IO.Path.GetTempPath(), Name);
    }
}
