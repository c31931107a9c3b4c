using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Interfaces.Doors;
using MgbaBridge.Gateway.Operations.Status;

namespace MgbaBridge.Gateway.Interfaces.BizHawk;

/// <summary>
/// Serves Archipelago's BizHawk client. Each emulator listens on the first free port of five and serves one client at a time. While it does, its
/// listener is closed: the next client is refused and tries the next port.
/// </summary>
internal sealed class BizHawkServer(
    BizHawkOptions options, EmulatorRegistry emulators, DoorClients clients, IServiceProvider services, TimeProvider time, ILogger<BizHawkServer> logger) : DoorServer(Door, emulators, time, logger)
{
    /// <summary>The name of the protocol.</summary>
    public const string Door = "bizhawk";

    protected override async Task ServeAsync(EmulatorClient emulator, CancellationToken cancelled)
    {
        while (true)
        {
            using var connection = await AcceptAsync(emulator, cancelled);
            await ServeAsync(emulator, connection, cancelled);
        }
    }

    private async Task<Socket> AcceptAsync(EmulatorClient emulator, CancellationToken cancelled)
    {
        using var listener = await OpenAsync(emulator, SocketType.Stream, IPAddress.Loopback, options.Port, cancelled);
        return await listener.AcceptAsync(cancelled);
    }

    private async Task ServeAsync(EmulatorClient emulator, Socket connection, CancellationToken cancelled)
    {
        connection.NoDelay = true;
        using var client = clients.Enter(Door, emulator.Id, $"{connection.RemoteEndPoint}");
        _ = Holder.TryCreate($"{Door}-{((IPEndPoint)connection.RemoteEndPoint!).Port}", out var holder);
        await using var stream = new NetworkStream(connection);
        try
        {
            var invocation = InvocationOf(emulator, options.Role, new RequestOptions { Holder = holder, OutlastsSilence = true }, services);
            await new BizHawkSession(invocation, client, Time).RunAsync(stream, cancelled);
        }
        catch (Exception exception) when (exception is IOException or OperationCanceledException or RequestFailedException)
        {
            // a client takes the end of its connection for an emulator that does not answer, and connects again; an error would end it for good
            cancelled.ThrowIfCancellationRequested();
            GatewayLog.DoorClientEnded(logger, Door, client.Caller, emulator.Id, exception.Message);
        }
        catch (Exception exception)
        {
            GatewayLog.DoorDefect(logger, Door, emulator.Id, exception);
        }
    }
}
