using System.Globalization;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>Finds the process that listens on a port of this machine. Only Linux shows this without a tool, and only for own processes.</summary>
internal static class ProcessLookup
{
    private const string Listening = "0A";

    private static readonly string[] Tables = ["/proc/net/tcp", "/proc/net/tcp6"];

    /// <summary>The process that listens on a TCP port, or null if it cannot be determined.</summary>
    public static ListeningProcess? Listener(int port)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        var sockets = Tables.SelectMany(file => Sockets(file, port)).ToHashSet(StringComparer.Ordinal);
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

    // columns: number, local address, remote address, state, queues, timer, retransmits, user, timeout, inode
    private static IEnumerable<string> Sockets(string file, int port)
    {
        var address = string.Create(CultureInfo.InvariantCulture, $":{port:X4}");
        return !File.Exists(file) ? [] : File.ReadLines(file).Skip(1).Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(columns => columns.Length > 9 && columns[3] == Listening && columns[1].EndsWith(address, StringComparison.Ordinal))
            .Select(columns => $"socket:[{columns[9]}]");
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
