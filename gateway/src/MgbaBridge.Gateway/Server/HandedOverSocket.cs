using System.Globalization;

namespace MgbaBridge.Gateway.Server;

/// <summary>A socket that listens already, given to this process when it was started: systemd's socket activation.</summary>
internal static class HandedOverSocket
{
    /// <summary>Whether there is one. What it listens on is then systemd's business.</summary>
    public static bool IsThere =>
        Environment.GetEnvironmentVariable("LISTEN_PID") == Environment.ProcessId.ToString(CultureInfo.InvariantCulture)
        && int.TryParse(Environment.GetEnvironmentVariable("LISTEN_FDS"), NumberStyles.None, CultureInfo.InvariantCulture, out var count)
        && count > 0;
}
