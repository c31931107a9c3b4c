using System.Globalization;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>Finds the process that listens on a port of this machine. Only Linux shows this without a tool, and only for own processes.</summary>
internal static class ProcessLookup
{
    /// <summary>The process that listens on a TCP port, or null if it cannot be determined.</summary>
    public static ListeningProcess? Listener(int port)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        var sockets = LocalListeners.Read()[port].Select(listener => $"socket:[{listener.Inode}]").ToHashSet(StringComparer.Ordinal);
        return sockets.Count == 0 ? null : Directory.EnumerateDirectories("/proc")
            .Where(folder => int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out _) && HasOneOf(folder, sockets))
            .Select(Describe).FirstOrDefault(process => process is not null);
    }

    /// <summary>Describes a process, or returns null if it has ended.</summary>
    public static ListeningProcess? Describe(string folder)
    {
        try
        {
            var fields = File.ReadLines(Path.Combine(folder, "status")).Select(line => line.Split(':', 2))
                .Where(parts => parts.Length == 2).ToDictionary(parts => parts[0], parts => parts[1].Trim());
            return new ListeningProcess(
                int.Parse(Path.GetFileName(folder), CultureInfo.InvariantCulture),
                fields["Name"],
                IsStopped: fields["State"].StartsWith('T'),
                IgnoresSigpipe: (ulong.Parse(fields["SigIgn"], NumberStyles.HexNumber, CultureInfo.InvariantCulture) & ListeningProcess.Sigpipe) != 0);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or KeyNotFoundException)
        {
            return null;
        }
    }

    private static bool HasOneOf(string folder, HashSet<string> sockets)
    {
        try
        {
            return Directory.EnumerateFileSystemEntries(Path.Combine(folder, "fd")).Any(file => new FileInfo(file).LinkTarget is { } target && sockets.Contains(target));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}

/// <summary>A process that listens on a port.</summary>
/// <param name="Id">Its process id.</param>
/// <param name="Name">Its name.</param>
/// <param name="IsStopped">Whether a signal or a debugger has stopped it.</param>
/// <param name="IgnoresSigpipe">Whether it ignores SIGPIPE.</param>
internal sealed record ListeningProcess(int Id, string Name, bool IsStopped, bool IgnoresSigpipe)
{
    /// <summary>The bit of SIGPIPE (13) in the masks of <c>/proc/PID/status</c>.</summary>
    public const ulong Sigpipe = 1UL << (13 - 1);

    /// <summary>The name and the id.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Name} (process {Id})");
}
