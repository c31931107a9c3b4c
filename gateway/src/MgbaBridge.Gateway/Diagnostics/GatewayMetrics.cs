using System.Diagnostics.Metrics;
using MgbaBridge.Client.Diagnostics;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>The metrics of the gateway's own callers. Those of its emulators are <see cref="ClientMetrics"/>.</summary>
internal static class GatewayMetrics
{
    private static readonly Meter Meter = new(ClientMetrics.MeterName);

    private static readonly UpDownCounter<long> OpenSockets = Meter.CreateUpDownCounter<long>(
        "mgba.bridge.socket.count", "{socket}", "Open WebSockets of clients.");

    private static readonly Counter<long> EndedSockets = Meter.CreateCounter<long>(
        "mgba.bridge.socket.ended", "{socket}", "Closed WebSockets of clients, by close status.");

    private static readonly UpDownCounter<long> DoorClients = Meter.CreateUpDownCounter<long>(
        "mgba.bridge.door.count", "{client}", "Clients connected by the protocols of other emulators.");

    private static readonly Counter<long> DoorRequests = Meter.CreateCounter<long>(
        "mgba.bridge.door.requests", "{request}", "Requests of clients by the protocols of other emulators.");

    private static readonly Counter<long> DroppedDatagrams = Meter.CreateCounter<long>(
        "mgba.bridge.door.dropped", "{datagram}", "Commands and datagrams of clients by the protocols of other emulators that were not understood or not allowed.");

    /// <summary>A client opened a WebSocket.</summary>
    public static void SocketOpened(string emulator) => OpenSockets.Add(1, new KeyValuePair<string, object?>("mgba.emulator", emulator));

    /// <summary>A client's WebSocket has closed. <paramref name="status"/> is that of its close message.</summary>
    public static void SocketEnded(string emulator, string status)
    {
        OpenSockets.Add(-1, new KeyValuePair<string, object?>("mgba.emulator", emulator));
        EndedSockets.Add(1, new("mgba.emulator", emulator), new("mgba.status", status));
    }

    /// <summary>A client connected by the protocol of another emulator.</summary>
    public static void DoorEntered(string door, string emulator) => DoorClients.Add(1, new("mgba.door", door), new("mgba.emulator", emulator));

    /// <summary>Such a client has left.</summary>
    public static void DoorLeft(string door, string emulator) => DoorClients.Add(-1, new("mgba.door", door), new("mgba.emulator", emulator));

    /// <summary>Such a client has sent a request.</summary>
    public static void DoorRequested(string door, string emulator) => DoorRequests.Add(1, new("mgba.door", door), new("mgba.emulator", emulator));

    /// <summary>A command or datagram was not understood, or not allowed.</summary>
    public static void DoorDropped(string door, string emulator) => DroppedDatagrams.Add(1, new("mgba.door", door), new("mgba.emulator", emulator));
}
