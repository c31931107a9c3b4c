using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Operations.Status;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.BizHawk;

/// <summary>
/// Serves Archipelago's BizHawk client. Each emulator listens on the first free port of five and serves one client at a time. While it does, its
/// listener is closed: the next client is refused and tries the next port.
/// </summary>
internal sealed class BizHawkServer(BizHawkOptions options, EmulatorRegistry emulators, DoorClients clients, TimeProvider time, ILogger<BizHawkServer> logger) : BackgroundService
{
    /// <summary>The name of the protocol.</summary>
    public const string Door = "bizhawk";

    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(250);

    private readonly ConcurrentDictionary<string, Task> _serving = new();

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        try
        {
            using var timer = new PeriodicTimer(LookEvery, time);
            do
            {
                foreach (var emulator in emulators.All)
                {
                    _ = _serving.GetOrAdd(emulator.Id, _ => ServeAsync(emulator, stoppingToken));
                }
            }
            while (await timer.WaitForNextTickAsync(stoppingToken));
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(_serving.Values);
        }
    }

    private async Task ServeAsync(EmulatorClient emulator, CancellationToken stoppingToken)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken, emulator.Streams.Removed);
        try
        {
            while (true)
            {
                using var connection = await AcceptAsync(emulator, ended.Token);
                await ServeAsync(emulator, connection, ended.Token);
            }
        }
        catch (OperationCanceledException)
        {
            _serving.TryRemove(emulator.Id, out _); // the gateway stops, or the emulator was removed
        }
    }

    private async Task<Socket> AcceptAsync(EmulatorClient emulator, CancellationToken cancelled)
    {
        for (var isFirst = true; ; isFirst = false)
        {
            if (TryListen() is { } listener)
            {
                using (listener)
                {
                    if (isFirst)
                    {
                        GatewayLog.DoorListens(logger, Door, emulator.Id, listener.LocalEndPoint!);
                    }

                    return await listener.AcceptAsync(cancelled);
                }
            }

            if (isFirst)
            {
                GatewayLog.DoorHasNoPort(logger, Door, emulator.Id, options.Port, options.Port + BizHawkOptions.Ports - 1);
            }

            await Task.Delay(LookEvery, time, cancelled);
        }
    }

    private Socket? TryListen()
    {
        for (var port = options.Port; port < options.Port + BizHawkOptions.Ports; port++)
        {
            var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                listener.Bind(new IPEndPoint(IPAddress.Loopback, port));
                listener.Listen(1);
                return listener;
            }
            catch (SocketException)
            {
                listener.Dispose(); // in use
            }
        }

        return null;
    }

    private async Task ServeAsync(EmulatorClient emulator, Socket connection, CancellationToken cancelled)
    {
        connection.NoDelay = true;
        using var client = clients.Enter(Door, emulator.Id, $"{connection.RemoteEndPoint}");
        _ = Holder.TryCreate($"{Door}-{((IPEndPoint)connection.RemoteEndPoint!).Port}", out var holder);
        await using var stream = new NetworkStream(connection);
        try
        {
            await new BizHawkSession(emulator, Roles.ByName[options.Role], holder!, client, time).RunAsync(stream, cancelled);
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
