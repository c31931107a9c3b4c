using System.Net;
using System.Net.WebSockets;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Operations.Status;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Options;

namespace MgbaBridge.Gateway.Interfaces.Uat;

/// <summary>
/// Serves trackers that use Universal Auto-Tracking: the emulators are its slots, and the properties of their games its variables. It has a web server of
/// its own, because the protocol states the port.
/// </summary>
internal sealed class UatServer(
    UatOptions options, EmulatorRegistry emulators, SymbolStore store, DoorClients clients, IServiceProvider services, TimeProvider time, ILoggerFactory logs) : BackgroundService
{
    /// <summary>The name of the protocol.</summary>
    public const string Door = "uat";

    private const int MaxClients = 16;

    private static readonly TimeSpan RetryInterval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan KeepAlive = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(1);

    private readonly ILogger _logger = logs.CreateLogger<UatServer>();

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        for (var isFirst = true; !stoppingToken.IsCancellationRequested; isFirst = false)
        {
            if (await TryServeAsync(options.Port, stoppingToken) || await TryServeAsync(options.FallbackPort, stoppingToken))
            {
                return;
            }

            if (isFirst)
            {
                GatewayLog.UatHasNoPort(_logger, options.Port, options.FallbackPort);
            }

            await Task.Delay(RetryInterval, time, stoppingToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    // false when the port is in use, otherwise after the gateway stops
    private async Task<bool> TryServeAsync(int port, CancellationToken stoppingToken)
    {
        var settings = new KestrelServerOptions { ApplicationServices = services, AddServerHeader = false };
        settings.Limits.MaxConcurrentConnections = settings.Limits.MaxConcurrentUpgradedConnections = MaxClients;
        settings.ListenLocalhost(port, static endpoint => endpoint.Protocols = HttpProtocols.Http1);
        using var server = new KestrelServer(Options.Create(settings), new SocketTransportFactory(Options.Create(new SocketTransportOptions()), logs), logs);
        var pipeline = new ApplicationBuilder(services)
            .UseWebSockets(new WebSocketOptions { KeepAliveInterval = KeepAlive, KeepAliveTimeout = KeepAlive });
        pipeline.Run(http => ServeAsync(http, stoppingToken));
        try
        {
            await server.StartAsync(new Application(pipeline.Build()), stoppingToken);
        }
        catch (IOException exception) when (exception.InnerException is AddressInUseException)
        {
            return false;
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            return true;
        }

        GatewayLog.UatListens(_logger, port);
        await Task.Delay(Timeout.Infinite, stoppingToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        using var late = new CancellationTokenSource(DrainTimeout, time);
        await server.StopAsync(late.Token);
        return true;
    }

    private async Task ServeAsync(HttpContext http, CancellationToken stoppingToken)
    {
        if (http.Request.Headers.Origin.Count > 0)
        {
            await RefuseAsync(http, StatusCodes.Status403Forbidden, "Web pages cannot use this server.");
            return;
        }

        if (!http.WebSockets.IsWebSocketRequest)
        {
            await RefuseAsync(http, StatusCodes.Status400BadRequest, "This server speaks Universal Auto-Tracking over a WebSocket.");
            return;
        }

        using var socket = await http.WebSockets.AcceptWebSocketAsync();
        var caller = new IPEndPoint(http.Connection.RemoteIpAddress!, http.Connection.RemotePort).ToString();
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken, http.RequestAborted);
        try
        {
            using var session = new UatSession(socket, caller, options, emulators, store, clients, time);
            await session.RunAsync(ended.Token);
        }
        catch (Exception exception) when (exception is OperationCanceledException or WebSocketException)
        {
            // the client has left, does not read, or the gateway stops
        }
        catch (Exception exception)
        {
            GatewayLog.DoorDefect(_logger, Door, "*", exception);
        }
    }

    private static Task RefuseAsync(HttpContext http, int status, string why)
    {
        http.Response.StatusCode = status;
        http.Response.ContentType = "text/plain";
        return http.Response.WriteAsync($"{why}\n");
    }

    private sealed class Application(RequestDelegate pipeline) : IHttpApplication<HttpContext>
    {
        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public Task ProcessRequestAsync(HttpContext context) => pipeline(context);

        public void DisposeContext(HttpContext context, Exception? exception)
        {
        }
    }
}
