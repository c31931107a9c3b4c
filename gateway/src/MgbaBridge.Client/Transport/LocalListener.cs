using System.Globalization;
using System.Net;

namespace MgbaBridge.Client.Transport;

/// <summary>What listens on a port of this machine: another socket has another identity, also one of the same program.</summary>
internal static class LocalListener
{
    private const int LocalAddress = 1, State = 3, Inode = 9;
    private const string Listening = "0A";
    private static readonly string[] Tables = ["/proc/net/tcp", "/proc/net/tcp6"];

    /// <summary>Whether a host is this machine by its loopback address.</summary>
    public static bool IsHere(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase) || (IPAddress.TryParse(host, out var address) && IPAddress.IsLoopback(address));

    /// <summary>The identity of the listener, or null where it is not known: on another machine, and on other systems than Linux.</summary>
    public static string? At(string host, int port)
    {
        if (!OperatingSystem.IsLinux() || !IsHere(host))
        {
            return null;
        }

        var end = string.Create(CultureInfo.InvariantCulture, $":{port:X4}");
        try
        {
            var inodes = Tables.Where(File.Exists).SelectMany(File.ReadLines)
                .Where(line => line.Contains(end, StringComparison.Ordinal))
                .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Where(cells => cells.Length > Inode && cells[State] == Listening && cells[LocalAddress].EndsWith(end, StringComparison.Ordinal))
                .Select(cells => cells[Inode]);
            return string.Join(' ', inodes) is { Length: > 0 } identity ? identity : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
