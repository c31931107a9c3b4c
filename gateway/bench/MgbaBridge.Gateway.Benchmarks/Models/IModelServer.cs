namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>An echo server in one of the ways that connections can be served.</summary>
internal interface IModelServer
{
    int Port { get; }

    /// <summary>Connections accepted, by listener.</summary>
    IReadOnlyList<long> Accepted { get; }

    /// <summary>Datagrams echoed; streams are counted by the client.</summary>
    long Echoed { get; }

    /// <summary>Returns at once; the server ends with its process.</summary>
    void Start();
}
