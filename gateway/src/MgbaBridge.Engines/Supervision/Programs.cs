using MgbaBridge.Engines.Bundled;

namespace MgbaBridge.Engines.Supervision;

/// <summary>Finds the emulators on this machine, and says what to install when there is none.</summary>
/// <param name="options">The settings that name them.</param>
/// <param name="data">Where the script is written to.</param>
public sealed class Programs(OwnedEmulatorOptions options, DataFolder data)
{
    /// <summary>The exit code of a program that lacks a shared library.</summary>
    public const int LibraryMissing = 127;

    /// <summary>What a shell adds to the number of the signal that ended a program.</summary>
    public const int Signal = 128;

    /// <summary>What to do when mgba-headless lacks a library: that of a package needs none, and one that was built in a checkout may need libmgba.</summary>
    public const string InstallLibrary = "Install that library, or mgba-headless again";

    private const int BusError = Signal + 7; // SIGBUS: a page of a file that is mapped into memory cannot be read or written; a window maps save file and ROM
    private const string InstallWindow = "Install mGBA (Debian: apt install mgba-qt)";

    private static readonly string InstallHeadless = OperatingSystem.IsWindows()
        ? "Unpack the whole archive of mgba-bridge, which contains it"
        : "Install the mgba-bridge package, or build it in a checkout with make emulator";

    private static readonly (string Name, string[] Places) InstalledWindow = OperatingSystem.IsWindows()
        ? ("mGBA", [Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.ProgramFiles), "mGBA", "mGBA.exe")])
        : ("mgba-qt", ["/usr/games/mgba-qt", "/usr/local/bin/mgba-qt", "/Applications/mGBA.app/Contents/MacOS/mGBA"]);

    private const string Checkout = "headless/build/mgba-headless";

    private static readonly TimeSpan HelpTimeout = TimeSpan.FromSeconds(5);

    private readonly Lock _gate = new();
    private string? _script;

    /// <summary>The program that runs games without a window, or null.</summary>
    public string? Headless => Find(options.HeadlessProgram, "mgba-headless", Above(Checkout));

    /// <summary>The program that runs games in a window, or null.</summary>
    public string? Window => Find(options.WindowProgram, InstalledWindow.Name, InstalledWindow.Places);

    /// <summary>What to do when there is no such program.</summary>
    public string Missing(bool window) => window
        ? NotFound(InstalledWindow.Name, "Bridge:Owned:WindowProgram", options.WindowProgram, InstallWindow)
        : NotFound("mgba-headless", "Bridge:Owned:HeadlessProgram", options.HeadlessProgram, InstallHeadless);

    /// <summary>Whether this exit code of mgba-headless says that its options, the patch, the file of cheats or what it is to do with the cartridge is wrong, and not the ROM (headless/README.md).</summary>
    public static bool RefusesOptions(int code) => RefusesMachine(code) || code is 14 or 15;

    /// <summary>Whether it says so of the options for cartridge, console and clock.</summary>
    public static bool RefusesMachine(int code) => code is 2 or 16;

    /// <summary>What the exit code of an emulator means.</summary>
    /// <param name="code">The exit code.</param>
    /// <param name="window">Whether it is the program with a window.</param>
    /// <param name="line">The last line that it printed, which names a library that is missing; null if there is none.</param>
    public static string ReasonOf(int code, bool window, string? line) => code switch
    {
        LibraryMissing => $"a library that it needs is missing{(line is null ? "" : $" ({line})")}. {(window ? InstallWindow : InstallLibrary)}",
        BusError when window => "its process was ended by signal 7 (SIGBUS), as when the disk with its save file is full, or its ROM was cut",
        < 0 => $"Windows ended its process with the code 0x{code:X8}", // such as 0xC0000005, an access violation
        > Signal => $"its process was ended by signal {code - Signal}",
        _ => $"its process ended by itself with exit code {code}",
    };

    /// <summary>The Lua script of this version, as a file.</summary>
    public string Script
    {
        get
        {
            lock (_gate)
            {
                return _script ??= data.WriteResource("mgba-bridge.lua");
            }
        }
    }

    /// <summary>A game that comes with this program, as a file; null when this names a file of the user.</summary>
    public string? BundledGame(string rom) => BundledGames.FileOf(rom) is { } file ? data.WriteResource(file, "games") : null;

    /// <summary>Whether a window program loads scripts by itself (mGBA 0.11).</summary>
    public static async Task<bool> LoadsScriptsAsync(string program, CancellationToken cancellationToken)
    {
        try
        {
            return (await EmulatorProcess.RunAsync(program, ["--help"], HelpTimeout, cancellationToken)).Output.Contains("--script", StringComparison.Ordinal);
        }
        catch (Exception exception) when (exception is OperationCanceledException or InvalidOperationException or IOException)
        {
            return false;
        }
    }

    private static string NotFound(string name, string setting, string? configured, string install) => string.IsNullOrEmpty(configured)
        ? $"{name} was not found beside this program or in PATH. {install}, or set {setting} to the program."
        : $"{configured}, which {setting} names, does not exist or is not a program.";

    private static string? Find(string? configured, string name, IEnumerable<string> elsewhere)
    {
        if (!string.IsNullOrEmpty(configured))
        {
            return IsProgram(configured) ? Path.GetFullPath(configured) : null;
        }

        var file = OperatingSystem.IsWindows() ? $"{name}.exe" : name;
        var folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries);
        return folders.Prepend(AppContext.BaseDirectory).Select(folder => Path.Combine(folder, file)).Concat(elsewhere).FirstOrDefault(IsProgram);
    }

    private static IEnumerable<string> Above(string path)
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            yield return Path.Combine(folder.FullName, path);
        }
    }

    private static bool IsProgram(string path) =>
        File.Exists(path) && (OperatingSystem.IsWindows() || (File.GetUnixFileMode(path) & (UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute)) != 0);
}
