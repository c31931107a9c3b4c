using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Bundled;

namespace MgbaBridge.Engines.Supervision;

/// <summary>Builds the command line of an owned emulator.</summary>
/// <param name="settings">The settings.</param>
/// <param name="programs">The programs.</param>
/// <param name="data">Where its files are.</param>
internal sealed class EmulatorLauncher(OwnedEmulatorOptions settings, Programs programs, DataFolder data)
{
    // below the range that systems give to outgoing connections, and above the one that gateways search for scripts
    private const int FirstPort = 18_888;
    private const int LastPort = 28_887;

    // what no game and no script needs, so that a defect of a core cannot take the machine's memory; a window needs more for its graphics
    private const long MaxAddressSpace = 1_073_741_824;

    private const char FolderSeparator = ';'; // as the script reads MGBA_BRIDGE_FOLDERS

    private static int Next = FirstPort;

    /// <summary>The folder for the log of an emulator, and for a save file of its own.</summary>
    public string FolderOf(string id) => data.Below("emulators", id);

    /// <summary>The folder for the save file of a ROM when it is not beside it.</summary>
    public string SavesOf(string rom) => data.Below("saves", Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(rom)))[..16]);

    /// <summary>A port that nobody listens on; each call begins behind the last one, so that two starts at once do not choose the same.</summary>
    public static int FreePort()
    {
        var used = IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners().Select(endPoint => endPoint.Port).ToHashSet();
        for (var tried = FirstPort; tried <= LastPort; tried++)
        {
            var port = FirstPort + ((Interlocked.Increment(ref Next) - FirstPort) % (LastPort - FirstPort + 1));
            if (!used.Contains(port))
            {
                return port;
            }
        }

        throw new IOException($"No port of {FirstPort}..{LastPort} is free.");
    }

    /// <summary>The next port is tried at a random place of the range: other programs on this machine choose ports at the same moment.</summary>
    public static void BeginAnywhere() => Interlocked.Exchange(ref Next, FirstPort + Random.Shared.Next(LastPort - FirstPort + 1));

    /// <summary>Whether nobody listens on a port.</summary>
    public static bool IsFree(int port) =>
        !IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners().Any(endPoint => endPoint.Port == port && IsLocal(endPoint.Address));

    /// <summary>The command for one run. Null when the program is missing.</summary>
    /// <param name="rom">The ROM.</param>
    /// <param name="options">What it is started with.</param>
    /// <param name="id">The emulator's id.</param>
    /// <param name="saves">The folder for save files.</param>
    /// <param name="address">Where the script has to listen, and its nonce and secret.</param>
    /// <param name="cancellationToken">Ends the question whether a window loads scripts by itself.</param>
    public async Task<EmulatorLaunch?> CommandAsync(string rom, EmulatorOptions options, string id, string saves, EmulatorAddress address, CancellationToken cancellationToken)
    {
        if ((options.Window ? programs.Window : programs.Headless) is not { } program)
        {
            return null;
        }

        return new EmulatorLaunch(program, rom, options)
        {
            Scripts = options.Window && !await Programs.LoadsScriptsAsync(program, cancellationToken) ? [] : [programs.Script],
            Saves = saves != Path.GetDirectoryName(rom) ? saves : null, // beside the ROM is the default, which the settings of a window may change
            StatsEvery = TimeSpan.FromSeconds(2),
            Environment = new Dictionary<string, string>(Environment(address)) { ["MGBA_BRIDGE_FOLDERS"] = FoldersOf(id, rom) },
            MemoryLimit = options.Window ? 0 : MaxAddressSpace,
        };
    }

    /// <summary>Variables that tell a script where to listen, and which nonce and secret it has.</summary>
    public static Dictionary<string, string> Environment(EmulatorAddress address) => new()
    {
        ["MGBA_BRIDGE_PORT"] = address.Port!.Value.ToString(CultureInfo.InvariantCulture),
        ["MGBA_BRIDGE_BIND"] = address.Host,
        ["MGBA_BRIDGE_NONCE"] = address.Nonce ?? "",
        [EmulatorAddress.SecretVariable] = address.Secret ?? "",
    };

    // names without a folder mean the first one
    private string FoldersOf(string id, string rom) => System.Environment.GetEnvironmentVariable("MGBA_BRIDGE_FOLDERS") is { Length: > 0 } folders
        ? folders
        : string.Join(FolderSeparator, [data.Below("emulators", id, "files"), .. AllowedFolderOf(rom)]);

    private IEnumerable<string> AllowedFolderOf(string rom) =>
        settings.AllowRomFolder && settings.Roms.Any(one => !BundledGames.Has(one) && Path.GetFullPath(one) == rom) && Path.GetDirectoryName(rom) is { } folder
            && !folder.Contains(FolderSeparator, StringComparison.Ordinal) && !folder.Any(char.IsControl) && OwnFiles.IsOursAlone(folder) ? [folder] : [];

    private static bool IsLocal(IPAddress address) => IPAddress.IsLoopback(address) || address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);
}
