using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Game;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Doors;

/// <summary>A server for clients of another emulator's protocol: it serves each emulator on a port of its own, for as long as the gateway has the emulator.</summary>
/// <param name="door">The name of the protocol.</param>
/// <param name="emulators">The emulators.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">The log.</param>
internal abstract class DoorServer(string door, EmulatorRegistry emulators, TimeProvider time, ILogger logger) : BackgroundService
{
    /// <summary>How many ports it tries for each emulator.</summary>
    public const int Ports = 5;

    // for emulators that were added, and for a free port
    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(250);

    // after a failure
    private static readonly TimeSpan RetryInterval = TimeSpan.FromSeconds(1);

    /// <summary>The clock.</summary>
    protected TimeProvider Time => time;

    /// <summary>Serves an emulator until it is removed or the gateway stops, which cancels <paramref name="cancelled"/>.</summary>
    protected abstract Task ServeAsync(EmulatorClient emulator, CancellationToken cancelled);

    /// <summary>Shows a client's message: in mGBA's Scripting window, and as an event.</summary>
    internal static async Task ShowAsync(Invocation invocation, string message)
    {
        invocation.Emulator.Announce(EventNames.EmulatorMessage, message);
        using var result = await GameOperations.Console.InvokeAsync(invocation, new WriteConsole(ConsoleLevel.Log, message));
    }

    /// <summary>For whom, and with what, the operations of a client run, which has the role of the settings.</summary>
    protected static Invocation InvocationOf(EmulatorClient emulator, string role, RequestOptions options, IServiceProvider services) =>
        new(emulator, options, services, CancellationToken.None) { Caller = new Caller(Roles.ByName[role]) };

    /// <summary>Opens a socket on the first free port of five, as soon as one is free; a TCP socket listens.</summary>
    protected async Task<Socket> OpenAsync(EmulatorClient emulator, SocketType type, IPAddress address, int firstPort, CancellationToken cancelled)
    {
        for (var isFirst = true; ; isFirst = false)
        {
            if (TryOpen(type, address, firstPort) is { } socket)
            {
                GatewayLog.DoorListens(logger, door, emulator.Id, socket.LocalEndPoint!);
                return socket;
            }

            if (isFirst)
            {
                GatewayLog.DoorHasNoPort(logger, door, emulator.Id, firstPort, firstPort + Ports - 1);
            }

            await Task.Delay(PollInterval, time, cancelled);
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var serving = new Dictionary<string, Task>();
        try
        {
            using var timer = new PeriodicTimer(PollInterval, time);
            do
            {
                foreach (var (id, _) in serving.Where(static one => one.Value.IsCompleted).ToArray())
                {
                    serving.Remove(id);
                }

                foreach (var emulator in emulators.WithoutOwner) // these clients have no tokens
                {
                    if (!serving.ContainsKey(emulator.Id))
                    {
                        // it takes its port before the next one does: ports are in the order of the emulators
                        serving.Add(emulator.Id, ServeUntilRemovedAsync(emulator, stoppingToken));
                    }
                }
            }
            while (await timer.WaitForNextTickAsync(stoppingToken));
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(serving.Values);
        }
    }

    private static Socket? TryOpen(SocketType type, IPAddress address, int firstPort)
    {
        for (var port = firstPort; port < firstPort + Ports; port++)
        {
            var socket = new Socket(AddressFamily.InterNetwork, type, ProtocolType.Unspecified);
            try
            {
                socket.Bind(new IPEndPoint(address, port));
                if (type == SocketType.Stream)
                {
                    socket.Listen(1);
                }

                return socket;
            }
            catch (SocketException)
            {
                socket.Dispose(); // in use
            }
        }

        return null;
    }

    private async Task ServeUntilRemovedAsync(EmulatorClient emulator, CancellationToken stoppingToken)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken, emulator.Streams.Removed);
        try
        {
            await ServeAsync(emulator, ended.Token);
        }
        catch (OperationCanceledException) when (ended.IsCancellationRequested)
        {
            // the emulator was removed, or the gateway stops
        }
        catch (Exception exception)
        {
            GatewayLog.DoorFailed(logger, door, emulator.Id, exception);
            await Task.Delay(RetryInterval, time, ended.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
