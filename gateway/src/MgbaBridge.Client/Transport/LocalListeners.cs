using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Runtime.InteropServices;

namespace MgbaBridge.Client.Transport;

/// <summary>The TCP sockets of this machine that listen, at one moment. Only Linux tells one from another that listens on the same port.</summary>
internal sealed class LocalListeners
{
    private const int LocalAddress = 1, State = 3, Inode = 9; // columns of the tables
    private const int WordDigits = 8;
    private const string Listening = "0A";
    private static readonly string[] Tables = ["/proc/net/tcp", "/proc/net/tcp6"];

    private readonly ILookup<int, LocalListener> _byPort;

    private LocalListeners(IEnumerable<LocalListener> all) => _byPort = all.ToLookup(listener => listener.EndPoint.Port);

    /// <summary>The ports on which something listens.</summary>
    public IEnumerable<int> Ports => _byPort.Select(port => port.Key);

    /// <summary>The sockets that listen on a port.</summary>
    public IEnumerable<LocalListener> this[int port] => _byPort[port];

    /// <summary>Reads them: IPv4 and IPv6. Linux lists them before all connections (Documentation/networking/proc_net_tcp.rst), which are not read.</summary>
    public static LocalListeners Read()
    {
        try
        {
            return new(OperatingSystem.IsLinux()
                ? Tables.Where(File.Exists).SelectMany(static table => File.ReadLines(table).Skip(1).Select(ListenerOrNull).TakeWhile(static listener => listener is not null)).OfType<LocalListener>()
                : IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners().Select(endPoint => new LocalListener(endPoint, null)));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return new([]);
        }
    }

    /// <summary>Whether a host is this machine by its loopback address.</summary>
    public static bool IsHere(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase) || (IPAddress.TryParse(host, out var address) && IPAddress.IsLoopback(address));

    /// <summary>What listens on a port: another socket has another identity, also one of the same program. Null for nothing, and where it is not known.</summary>
    public string? IdentityAt(int port) =>
        string.Join(' ', _byPort[port].Select(listener => listener.Inode)) is var identity && !string.IsNullOrWhiteSpace(identity) ? identity : null;

    private static LocalListener? ListenerOrNull(string line) =>
        line.Split(' ', StringSplitOptions.RemoveEmptyEntries) is { Length: > Inode } cells && cells[State] == Listening
            ? new LocalListener(EndPoint(cells[LocalAddress]), cells[Inode])
            : null;

    // the kernel prints each word of an address as a number of its own byte order
    private static IPEndPoint EndPoint(string cell)
    {
        var parts = cell.Split(':');
        var words = parts[0].Chunk(WordDigits).Select(word => uint.Parse(word, NumberStyles.HexNumber, CultureInfo.InvariantCulture)).ToArray();
        return new IPEndPoint(new IPAddress(MemoryMarshal.AsBytes<uint>(words)), int.Parse(parts[1], NumberStyles.HexNumber, CultureInfo.InvariantCulture));
    }
}

/// <summary>A socket that listens.</summary>
/// <param name="EndPoint">Its address and port.</param>
/// <param name="Inode">The number by which Linux knows it; null on other systems.</param>
internal sealed record LocalListener(IPEndPoint EndPoint, string? Inode);
