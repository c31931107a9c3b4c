using System.Diagnostics;

namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// The environment variables that the gateway passes on to programs that it starts. Its own may contain passwords and tokens, which others on the machine
/// may be able to read from them.
/// </summary>
public static class ChildEnvironment
{
    // an asterisk matches any beginning or end of a name
    private static readonly string[] OfPrograms =
    [
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "TMP", "TEMP", "XDG_*", "LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_*", "MALLOC_*", "*SAN_OPTIONS",

        // Windows
        "SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles*", "HOMEDRIVE", "HOMEPATH",
    ];

    private static readonly string[] OfEmulators =
    [
        .. OfPrograms,

        // windows on a desktop
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "QT_*", "SDL_*", "KDE_*", "GTK_*", "GDK_*", "XCURSOR_*",
        "PULSE_*", "PIPEWIRE_*", "ALSA_*", "LIBGL_*", "MESA_*", "DRI_PRIME", "__GL*", "__EGL*", "__NV*", "VK_*",

        // the script; its address, nonce, secret and folders are set for each emulator
        "MGBA_BRIDGE_CONNECTIONS", "MGBA_BRIDGE_LINGER", "MGBA_BRIDGE_LEASE", "MGBA_BRIDGE_LOG",
    ];

    // of those with such names, the ones that are secrets
    private static readonly string[] Secrets = ["PGPASSWORD", "*_HEADERS"];

    private static readonly string[] OfHosts =
    [
        .. OfEmulators, "MGBA_BRIDGE_FOLDERS", "DOTNET_*", "Logging__*", "Bridge__Transport__*", "Bridge__Telemetry__*", "OTEL_*", "SSL_CERT_*", "PG*", "KRB5*",
        "SLURM_*", "SBATCH_*", "SQUEUE_*", "SCANCEL_*",
    ];

    /// <summary>Removes what a program that is no part of the project does not need.</summary>
    public static void LimitToPrograms(ProcessStartInfo start) => Limit(start, OfPrograms);

    /// <summary>Removes what an emulator does not need from the environment of a program to be started.</summary>
    internal static void LimitToEmulators(ProcessStartInfo start) => Limit(start, OfEmulators);

    /// <summary>Removes what a host of a fleet does not need. Its settings are set besides.</summary>
    public static void LimitToHosts(ProcessStartInfo start) => Limit(start, OfHosts);

    private static void Limit(ProcessStartInfo start, string[] passed)
    {
        foreach (var name in start.Environment.Keys.Where(name => !passed.Any(pattern => IsLike(name, pattern)) || Secrets.Any(pattern => IsLike(name, pattern))).ToArray())
        {
            start.Environment.Remove(name);
        }
    }

    private static bool IsLike(string name, string pattern) =>
        pattern.StartsWith('*') ? name.EndsWith(pattern[1..], StringComparison.OrdinalIgnoreCase)
        : pattern.EndsWith('*') ? name.StartsWith(pattern[..^1], StringComparison.OrdinalIgnoreCase)
        : name.Equals(pattern, StringComparison.OrdinalIgnoreCase);
}
