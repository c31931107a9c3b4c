using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Fleet.Links;

/// <summary>The sockets of links, and how many connections one may be at once.</summary>
internal static class LinkSockets
{
    /// <summary>How long a machine may be silent until its connections end: it was switched off or its network was cut.</summary>
    public const int SilentSeconds = 30;

    private const int ProbeAfterSeconds = 10;
    private const int ProbeEverySeconds = 5;
    private const int ProbeCount = (SilentSeconds - ProbeAfterSeconds) / ProbeEverySeconds;
    private const int TcpUserTimeout = 18;

    /// <summary>Sends small messages at once, and notices when the other machine is gone.</summary>
    public static void Prepare(Socket socket)
    {
        socket.NoDelay = true;
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, ProbeAfterSeconds);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, ProbeEverySeconds);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, ProbeCount);
        if (OperatingSystem.IsLinux())
        {
            // probes are not sent while bytes are unacknowledged
            socket.SetRawSocketOption((int)ProtocolType.Tcp, TcpUserTimeout, BitConverter.GetBytes(SilentSeconds * 1_000));
        }
    }
}

/// <summary>Counts connections, in all and of each address, and refuses those beyond.</summary>
/// <param name="total">The limit in all.</param>
/// <param name="each">The limit of one address.</param>
internal sealed class LinkLimit(int total, int each)
{
    private readonly Dictionary<IPAddress, int> _counts = [];
    private int _total;

    /// <summary>Counts one. False when there are too many.</summary>
    public bool TryEnter(IPAddress address)
    {
        lock (_counts)
        {
            var count = _counts.GetValueOrDefault(address);
            if (_total >= total || count >= each)
            {
                return false;
            }

            _counts[address] = count + 1;
            _total++;
            return true;
        }
    }

    /// <summary>It has ended.</summary>
    public void Leave(IPAddress address)
    {
        lock (_counts)
        {
            _total--;
            if (--_counts[address] == 0)
            {
                _counts.Remove(address);
            }
        }
    }
}
