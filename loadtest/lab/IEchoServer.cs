namespace MgbaBridge.Lab;

/// <summary>An echo server that implements one serving model.</summary>
internal interface IEchoServer
{
    int Port { get; }

    /// <summary>Accepted connections per listener.</summary>
    IReadOnlyList<long> Accepted { get; }

    /// <summary>Echoed datagrams; for streams the client counts.</summary>
    long Echoed { get; }

    /// <summary>Starts to serve and returns. The server ends with its process.</summary>
    void Start();
}
