using System.Diagnostics.Metrics;
using System.Net;
using System.Text;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Scenarios;
using MgbaBridge.Engines.Search;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Hosting.HandOver;
using MgbaBridge.Gateway.Interfaces.BizHawk;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Interfaces.Http.Streams;
using MgbaBridge.Gateway.Interfaces.RetroArch;
using MgbaBridge.Gateway.Interfaces.Uat;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Guests;
using MgbaBridge.Gateway.Operations.Status;
using MgbaBridge.Gateway.Operations.Votes;
using MgbaBridge.Gateway.Rendering;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Configuration.Memory;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Registers the services of all folders.</summary>
internal static class ServiceRegistration
{
    /// <summary>What is logged unless the settings say otherwise. A gateway that cannot start says so itself, once.</summary>
    public static void AddLogDefaults(this WebApplicationBuilder builder) => builder.Configuration.Sources.Insert(0, new MemoryConfigurationSource
    {
        InitialData = new Dictionary<string, string?>
        {
            ["Logging:LogLevel:Microsoft.AspNetCore"] = "Warning",
            ["Logging:LogLevel:Microsoft.AspNetCore.Server.Kestrel.Connections"] = "Error", // a line for each connection beyond the limit
            ["Logging:LogLevel:Microsoft.AspNetCore.Hosting.Diagnostics"] = "None",
            ["Logging:LogLevel:Microsoft.Extensions.Hosting.Internal.Host"] = "Critical", // a service that failed ends the gateway
            ["Logging:LogLevel:ModelContextProtocol"] = "None", // a stack trace for each wrong call of an agent; the agent gets the error
        },
    });

    /// <summary>The HTTP server: loopback by default, with limits for long messages.</summary>
    public static void AddServer(this WebApplicationBuilder builder, BridgeOptions options)
    {
        if (string.IsNullOrEmpty(builder.Configuration[WebHostDefaults.ServerUrlsKey]) && !ActivatedSocket.IsThere)
        {
            builder.WebHost.UseUrls(RunAnnouncement.ChoosesPort(builder.Configuration) && !options.Http.ReusePort ? builder.TakeFirstFreePort() : Loopback.UrlsOf("127.0.0.1", options.HttpPort, options.Http.ReusePort));
        }

        builder.Services.Configure<SocketTransportOptions>(transport =>
        {
            transport.UnsafePreferInlineScheduling = true; // see SocketThreads
            transport.WaitForDataBeforeAllocatingBuffer = false; // 4 KB for each connection, and a system call less for each request
        });
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.UseSystemd();
            kestrel.AddServerHeader = false;
            kestrel.RequestHeaderEncodingSelector = static _ => Encoding.UTF8; // what is not UTF-8 becomes U+FFFD; by default it is a 400 without a sentence
            kestrel.Limits.MaxRequestLineSize = EchoEndpoint.MaxRequestLine;
            kestrel.Limits.MaxRequestBufferSize = 1_048_576;
            kestrel.Limits.MaxRequestBodySize = options.Http.MaxBody;
            var connections = ConnectionLimit.Of(options.Http.MaxConnections, ConnectionLimit.OpenFiles());
            kestrel.Limits.MaxConcurrentConnections = connections;
            kestrel.Limits.MaxConcurrentUpgradedConnections = connections;
            kestrel.ConfigureEndpointDefaults(static listen => listen.Use(next => UnreadOutput.Count(
                listen.ApplicationServices.GetRequiredService<UnreadBytes>(), HalfClosedClients.Answer(listen.ApplicationServices.GetRequiredService<TimeProvider>(), next))));
        });
        builder.Services.AddSingleton(options.Http);
        builder.Services.AddAccessControl(options.Http);
        builder.Services.AddSingleton(services => new GuestStore(
            services.GetRequiredService<CredentialStore>(),
            services.GetRequiredService<EmulatorRegistry>(),
            services.GetRequiredService<TransportSettings>(),
            options.Http.KeepGuests ? services.GetRequiredService<DataFolder>() : null,
            services.GetRequiredService<TimeProvider>(),
            services.GetRequiredService<ILogger<GuestStore>>()));
        builder.Services.AddSingleton<MemoryReturn>();
        builder.Services.AddSingleton(services => new UnreadBytes(
            options.Http.MaxUnreadPerCaller, options.Http.MaxUnread, services.GetRequiredService<MemoryReturn>().Begin, services.GetRequiredService<ILogger<UnreadBytes>>()));
        builder.Services.AddSingleton(new StreamLimit(options.Http.MaxStreamsPerCaller));
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = options.Http.ConnectionDrain + options.Http.DrainTimeout + (2 * Supervisor.StopTimeout) + TimeSpan.FromSeconds(1));
        builder.Services.AddSingleton<ConnectionDrain>();
        if (ActivatedSocket.IsThere)
        {
            builder.AddQueueKeeper(options.Http);
        }
        else if (options.Http.ReusePort)
        {
            builder.AddPortHandOver(options.Http, options.Owned.StartTimeout);
        }
    }

    private static string TakeFirstFreePort(this WebApplicationBuilder builder)
    {
        var free = FirstFreePort.Take(builder.Configuration[RunAnnouncement.ShareKey] is null ? IPAddress.Loopback : IPAddress.Any);
        builder.Services.AddSingleton(free);
        builder.WebHost.UseSockets(transport => transport.CreateBoundListenSocket = free.SocketFor);
        return free.Urls;
    }

    private static void AddQueueKeeper(this WebApplicationBuilder builder, HttpOptions options)
    {
        builder.Services.AddSingleton(services => new PausableListeners(ActivatorUtilities.CreateInstance<SocketTransportFactory>(services)));
        builder.Services.AddSingleton<IConnectionListenerFactory>(services => services.GetRequiredService<PausableListeners>());
        builder.Services.AddHostedService(services => new SocketRelease(
            services.GetRequiredService<PausableListeners>(),
            services.GetRequiredService<ConnectionDrain>(),
            options.ConnectionDrain,
            services.GetRequiredService<TimeProvider>()));
    }

    private static void AddPortHandOver(this WebApplicationBuilder builder, HttpOptions options, TimeSpan startTimeout)
    {
        var sockets = new ListenSockets();
        builder.WebHost.UseSockets(transport => transport.CreateBoundListenSocket = sockets.Bind);
        builder.Services.PostConfigure<HostOptions>(host => host.ShutdownTimeout += PortHandOver.SearchTimeout);
        builder.Services.AddHostedService(services => new PortHandOver(
            sockets,
            services.GetRequiredService<ConnectionDrain>(),
            services.GetRequiredService<EmulatorRegistry>(),
            options.ConnectionDrain,
            startTimeout,
            services.GetRequiredService<TimeProvider>(),
            services.GetRequiredService<ILogger<PortHandOver>>()));
    }

    /// <summary>Refuses addresses at which the gateway cannot listen, and to open a port to other machines without a token.</summary>
    /// <exception cref="SettingsException">An address is wrong, or it would be open.</exception>
    public static void CheckWhereToListen(this WebApplicationBuilder builder, BridgeOptions options)
    {
        string[] urls =
        [
            .. (builder.Configuration[WebHostDefaults.ServerUrlsKey] ?? "").Split(';', StringSplitOptions.RemoveEmptyEntries),
            .. builder.Configuration.GetSection("Kestrel:Endpoints").GetChildren().Select(endpoint => endpoint["Url"]).OfType<string>(),
        ];
        string[] wrong = [.. urls.Select(WrongAddress).OfType<string>()];
        if (wrong.Length > 0)
        {
            throw new SettingsException(wrong);
        }

        if (options.Http is { Token: null or "", Tokens.Length: 0 } && urls.FirstOrDefault(url => !AccessControl.IsLocal(url)) is { } open)
        {
            throw new SettingsException([$"{open} can be reached from other machines. {AccessControl.Needed}"]);
        }
    }

    private static string? WrongAddress(string url)
    {
        try
        {
            var address = BindingAddress.Parse(url);
            return !address.Scheme.Equals(Uri.UriSchemeHttp, StringComparison.OrdinalIgnoreCase) ? $"The gateway cannot listen at {url}: it speaks http only. Write http://, and put a proxy in front of it for TLS."
                : address.PathBase.Length > 0 ? $"The gateway cannot listen at {url}: leave out the path {address.PathBase}."
                : null;
        }
        catch (FormatException)
        {
            return $"The gateway cannot listen at \"{url}\"; expected a URL such as {DefaultUrl(new BridgeOptions())}.";
        }
    }

    /// <summary>The first URL at which the gateway listens.</summary>
    public static Uri WhereToListen(IConfiguration configuration, BridgeOptions options)
    {
        var first = (configuration[WebHostDefaults.ServerUrlsKey] ?? "").Split(';', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault() ?? DefaultUrl(options);
        var local = first.Replace("://*", "://127.0.0.1", StringComparison.Ordinal).Replace("://+", "://127.0.0.1", StringComparison.Ordinal);
        return Uri.TryCreate(local, UriKind.Absolute, out var url) ? url : throw new SettingsException([$"urls is \"{first}\"; expected a URL such as {DefaultUrl(options)}."]);
    }

    /// <summary>The first URL without a setting of <c>urls</c>.</summary>
    public static string DefaultUrl(BridgeOptions options) => $"http://127.0.0.1:{options.HttpPort}";

    /// <summary>What holds for all requests.</summary>
    public static void UseConventions(this WebApplication app, HttpOptions options)
    {
        app.Use(app.Services.GetRequiredService<AccessControl>().InvokeAsync);
        app.Use(EncodedBodies.RefuseAsync);
        if (options.RateLimit > 0)
        {
            var limit = new RateLimit(options.RateLimit);
            app.Lifetime.ApplicationStopped.Register(limit.Dispose);
            app.Use(limit.InvokeAsync);
        }

        var time = app.Services.GetRequiredService<TimeProvider>();
        app.Use(new Idempotency(new IdempotentRequests(time)).InvokeAsync);
    }

    /// <summary>The names of games, read before anything starts: a file that is wrong is a setting that is wrong.</summary>
    public static void AddNames(this WebApplicationBuilder builder, BridgeOptions options)
    {
        try
        {
            builder.Services.AddSingleton(new SymbolStore(options.Symbols));
            builder.Services.AddSingleton<SymbolsBesideRoms>();
            builder.Services.AddSingleton(new ScenarioStore());
            builder.Services.AddSingleton<HolderStreams>();
        }
        catch (Exception exception) when (exception is InvalidDataException or IOException or UnauthorizedAccessException)
        {
            throw new SettingsException([exception.Message]);
        }
    }

    /// <summary>The emulators, to which the gateway begins to connect before the first request.</summary>
    public static void AddEmulators(this WebApplicationBuilder builder, BridgeOptions options)
    {
        builder.Services.AddSingleton(TimeProvider.System);
        builder.Services.AddSingleton<MetricsPage>();
        builder.Services.AddSingleton(new TransportSettings(options.Transport));
        builder.Services.AddSingleton(services =>
        {
            var emulators = new EmulatorRegistry(
                options.EmulatorsOrDefault,
                services.GetRequiredService<TransportSettings>(),
                services.GetRequiredService<TimeProvider>(),
                services.GetRequiredService<IMemoryPoolFactory<byte>>().Create(new MemoryPoolOptions { Owner = "mgba-bridge" }),
                services.GetRequiredService<ILogger<EmulatorRegistry>>());
            EmulatorMetrics.Observe(emulators, services.GetRequiredService<IMeterFactory>());
            return emulators;
        });
        builder.Services.AddSingleton<RecordingStore>();
        builder.Services.AddSingleton<RecordingVideos>();
        builder.Services.AddSingleton<RequestLog>();
        builder.Services.AddSingleton<Rewinds>();
        builder.Services.AddSingleton<VoteRegistry>();
        builder.Services.AddSingleton(services => new Searches(options.Search, services.GetRequiredService<TimeProvider>()));
        builder.AddOwnedEmulators(options.Owned);
        builder.Services.AddHostedService<EmulatorLifetime>();
        builder.Services.AddHostedService<ServingSignal>();
        if (options.DiscoverOrDefault)
        {
            builder.Services.AddSingleton(services => new ScriptProbes(
                options.DiscoverySecrets, services.GetRequiredService<TransportSettings>(), services.GetRequiredService<EmulatorRegistry>().OtherPrograms, services.GetRequiredService<TimeProvider>()));
            builder.Services.AddSingleton<Func<LocalListeners>>(LocalListeners.Read);
            builder.Services.AddHostedService<ScriptDiscovery>();
        }

        builder.Services.AddHostedService(services => new SettingsWatch(
            builder.Configuration, services.GetRequiredService<TransportSettings>(), services.GetRequiredService<CredentialStore>(), services.GetRequiredService<ILogger<SettingsWatch>>()));
    }

    /// <summary>The emulators that the gateway starts, and the states that it keeps.</summary>
    private static void AddOwnedEmulators(this WebApplicationBuilder builder, OwnedEmulatorOptions options)
    {
        builder.Services.AddSingleton(options);
        builder.Services.AddSingleton(services => new DataFolder(options.DataFolder, services.GetRequiredService<ILogger<DataFolder>>()));
        builder.Services.AddSingleton<Programs>();
        builder.Services.AddSingleton<StateStore>();
        builder.Services.AddSingleton<RomUploads>();
        builder.Services.AddSingleton<Supervisor>();
    }

    /// <summary>The servers for clients that speak the protocols of other emulators.</summary>
    public static void AddDoors(this WebApplicationBuilder builder, DoorOptions options)
    {
        builder.Services.AddSingleton<DoorClients>();
        if (options.BizHawk.Enabled)
        {
            builder.Services.AddSingleton(options.BizHawk);
            builder.Services.AddHostedService<BizHawkServer>();
        }

        if (options.RetroArch.Enabled)
        {
            builder.Services.AddSingleton(options.RetroArch);
            builder.Services.AddHostedService<RetroArchServer>();
        }

        if (options.Uat.Enabled)
        {
            builder.Services.AddSingleton(options.Uat);
            builder.Services.AddHostedService<UatServer>();
        }
    }

    /// <summary>Traces and metrics for a collector, if there is one.</summary>
    public static void AddTelemetry(this WebApplicationBuilder builder, BridgeOptions options)
    {
        var endpoint = options.Telemetry.OtlpEndpoint;
        if (!string.IsNullOrEmpty(endpoint) || !string.IsNullOrEmpty(builder.Configuration[TelemetryOptions.Variable]))
        {
            builder.Services.AddHostedService(_ => new OtlpExport(endpoint));
        }
    }
}
