using System.Net.Sockets;

namespace MgbaBridge.Client.Transport;

/// <summary>
/// mGBA's sockets hold a small message back until the one before it was acknowledged, and a receiver acknowledges with what it sends next, or 40 ms
/// later. Two requests close to each other would make each later reply wait for the next request, and events of each frame would come three at a time. So while
/// replies are outstanding, and after events, what came is acknowledged at once.
/// On Linux only; elsewhere nothing happens.
/// </summary>
internal static class PromptAcknowledgement
{
    private const int Tcp = 6;
    private const int QuickAcknowledgement = 12; // TCP_QUICKACK; the kernel resets it, so it is set each time

    private static readonly byte[] On = [1, 0, 0, 0];

    private static bool IsPossible { get; set; } = OperatingSystem.IsLinux();

    /// <summary>Acknowledges what was received.</summary>
    public static void Send(Socket socket)
    {
        if (!IsPossible)
        {
            return;
        }

        try
        {
            socket.SetRawSocketOption(Tcp, QuickAcknowledgement, On);
        }
        catch (SocketException)
        {
            IsPossible = false; // a system without it; a connection that is over is seen by its reader
        }
    }
}
