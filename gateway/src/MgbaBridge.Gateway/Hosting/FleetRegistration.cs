using System.Globalization;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Engines.Kubernetes;
using MgbaBridge.Fleet.Links;
using MgbaBridge.Fleet.Node;
using MgbaBridge.Fleet.Reconcile;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Fleet.Routing;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations.Fleet;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Registers what a gateway or a host of a fleet needs. Without a database nothing of it is loaded.</summary>
internal static class FleetRegistration
{
    /// <summary>The configuration key by which <c>mgba-bridge node</c> says that this program runs sessions instead of serving them.</summary>
    public const string NodeKey = "Run:Node";

    private const int ConnectionsOfAJob = 1; // there are as many jobs as games

    /// <summary>Adds it, if the settings name a database.</summary>
    public static void AddFleet(this WebApplicationBuilder builder, BridgeOptions options)
    {
        if (!string.IsNullOrEmpty(options.Fleet.Database))
        {
            AddServices(builder, options);
        }
    }

    /// <summary>Serves the sessions of the fleet.</summary>
    public static void UseFleet(this WebApplication app, BridgeOptions options)
    {
        if (!string.IsNullOrEmpty(options.Fleet.Database) && !options.Fleet.RunSessions)
        {
            UsePaths(app);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void UsePaths(WebApplication app) =>
        app.Use(new FleetPaths(app.Services.GetRequiredService<SessionRoutes>(), app.Services.GetRequiredService<EmulatorRegistry>()).InvokeAsync);

    [MethodImpl(MethodImplOptions.NoInlining)] // its types load Npgsql
    private static void AddServices(WebApplicationBuilder builder, BridgeOptions options)
    {
        FleetDatabase database;
        FleetDatabase? hostDatabase = null;
        LinkCertificates? certificates;
        var job = options.Fleet.RunSessions ? JobOfEnvironment(options.Fleet) : null;
        try
        {
            certificates = LinkCertificates.Read(options.Fleet);
            database = job?.Copy is null ? new FleetDatabase(options.Fleet) : new FleetDatabase(options.Fleet, ConnectionsOfAJob);
            if (job is null && !string.IsNullOrEmpty(options.Fleet.HostDatabase))
            {
                hostDatabase = new FleetDatabase(options.Fleet, maxConnections: 1, ofHosts: true);
            }
        }
        catch (Exception exception) when (exception is FleetException or FleetLinkException)
        {
            throw new SettingsException([exception.Message]);
        }

        builder.Services.AddSingleton(options.Fleet);
        builder.Services.AddSingleton(_ => database);
        if (job is not null)
        {
            AddNode(builder, options, job, certificates);
            return;
        }

        var values = Settings.Values(builder.Configuration);
        var program = NodeProgram.Of(options.Fleet.NodeProgram, values);
        IFleetEngine? engine = options.Fleet.Engine switch
        {
            "local" => new LocalEngine(program with { Environment = new Dictionary<string, string?>(program.Environment) { [InputLifetime.Variable] = "1" } }),
            "slurm" => new SlurmEngine(options.Fleet, program),
            EngineNameAttribute.Kubernetes => Kubernetes(options.Fleet, NodeProgram.Of(options.Fleet.NodeProgram, values.Where(value => SettingsSchema.Find(value.Key) is { IsSecret: false }))),
            _ => null,
        };
        builder.Services.AddSingleton<FleetMetrics>();
        if (hostDatabase is not null)
        {
            builder.Services.AddKeyedSingleton(nameof(FleetOptions.HostDatabase), (_, _) => hostDatabase);
        }

        builder.Services.AddHostedService(services => new FleetLeader(
            database, services.GetKeyedService<FleetDatabase>(nameof(FleetOptions.HostDatabase)), engine, options.Fleet, services.GetRequiredService<FleetMetrics>(), services.GetRequiredService<TimeProvider>(), services.GetRequiredService<ILogger<FleetLeader>>()));
        builder.Services.AddSingleton(_ => new RouteLinks(certificates));
        builder.Services.AddSingleton<SessionRoutes>();
        builder.Services.AddHostedService(services => services.GetRequiredService<SessionRoutes>());
        builder.Services.AddHostedService<TemporarySessions>();
        builder.Services.AddHostedService(services => new EngineLifetime(engine as IDisposable));
    }

    private static NodeJob JobOfEnvironment(FleetOptions options) =>
        SessionCopy.Parse(Environment.GetEnvironmentVariable(IFleetEngine.JobVariable)) is not { } copy ? SlurmEngine.JobOfEnvironment() ?? new NodeJob(null)
        : new NodeJob(copy, options.Engine == EngineNameAttribute.Kubernetes ? HostJobTemplate.NameOf(options.Name, copy) : Environment.ProcessId.ToString(CultureInfo.InvariantCulture));

    private static KubernetesEngine Kubernetes(FleetOptions options, NodeProgram program) =>
        KubernetesAccess.OfThisPod() is { } access
            ? new KubernetesEngine(options, program, access, TimeProvider.System)
            : throw new SettingsException(["Bridge:Fleet:Engine is \"kubernetes\", but KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: run the gateway in a pod, with a service account."]);

    private static void AddNode(WebApplicationBuilder builder, BridgeOptions options, NodeJob job, LinkCertificates? certificates)
    {
        options.Owned.MaxEmulators = Math.Max(options.Owned.MaxEmulators, options.Fleet.EmulatorsPerHost);
        if (string.IsNullOrEmpty(Environment.GetEnvironmentVariable(EmulatorAddress.SecretVariable)))
        {
            // the gateways of the fleet get it from the database, and nobody else may connect to the scripts
            Environment.SetEnvironmentVariable(EmulatorAddress.SecretVariable, RandomNumberGenerator.GetHexString(32, lowercase: true));
        }

        builder.Services.AddSingleton(job);
        builder.Services.AddSingleton(services => NodeLinks.Start(
            options.Fleet, certificates, services.GetRequiredService<TimeProvider>(), services.GetRequiredService<ILogger<FleetNode>>(), job.Copy is null ? 1 : NodeLinks.PortsOfJobs));
        builder.Services.AddHostedService<FleetNode>(); // after the emulators: it is stopped before them
        builder.Services.PostConfigure<HostOptions>(host => host.ShutdownTimeout += options.Fleet.HostDrainTimeout);
    }

    /// <summary>Ends the hosts of the local engine with the gateway.</summary>
    private sealed class EngineLifetime(IDisposable? engine) : IHostedService
    {
        public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken)
        {
            engine?.Dispose();
            return Task.CompletedTask;
        }
    }
}
