namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>How much one client on a socket may ask for.</summary>
/// <param name="MaxMessage">The longest message in bytes. Beyond, the socket is closed with 1009.</param>
/// <param name="Patience">How long an answer may stay unread. Beyond, the socket is closed with 1008.</param>
internal sealed record SocketLimits(int MaxMessage, TimeSpan Patience)
{
    /// <summary>Requests under way. Beyond, nothing more is read from the socket until one is answered.</summary>
    public const int Requests = 64;

    /// <summary>Requests that take frames under way. Beyond, they are refused.</summary>
    public const int Lasting = 64;

    /// <summary>Topics subscribed to. Beyond, they are refused.</summary>
    public const int Topics = 64;

    /// <summary>Sockets of a gateway. Beyond, they are refused with 503.</summary>
    public const int Sockets = 1_024;
}
