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

    /// <summary>A client opened a WebSocket.</summary>
    public static void SocketOpened(string emulator) => OpenSockets.Add(1, new KeyValuePair<string, object?>("mgba.emulator", emulator));

    /// <summary>A client's WebSocket has closed. <paramref name="status"/> is that of its close message.</summary>
    public static void SocketEnded(string emulator, string status)
    {
        OpenSockets.Add(-1, new KeyValuePair<string, object?>("mgba.emulator", emulator));
        EndedSockets.Add(1, new("mgba.emulator", emulator), new("mgba.status", status));
    }
}
