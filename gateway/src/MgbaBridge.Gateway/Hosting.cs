using System.Diagnostics.Metrics;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Search;
using Microsoft.AspNetCore.Connections;

namespace MgbaBridge.Gateway;

/// <summary>Puts the rooms together.</summary>
internal static class Hosting
{
    /// <summary>The HTTP server: loopback unless told otherwise, and room for long messages.</summary>
    public static void AddServer(this WebApplicationBuilder builder, BridgeOptions options)
    {
        if (string.IsNullOrEmpty(builder.Configuration[WebHostDefaults.ServerUrlsKey]))
        {
            builder.WebHost.UseUrls($"http://127.0.0.1:{options.HttpPort}");
        }

        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Limits.MaxRequestLineSize = options.Http.MaxRequestLine;
            kestrel.Limits.MaxRequestBufferSize = Math.Max(1_048_576, options.Http.MaxRequestLine);
            kestrel.Limits.MaxRequestBodySize = options.Http.MaxBody;
        });
        builder.Services.AddSingleton(options.Http);
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = options.Http.DrainTimeout + TimeSpan.FromSeconds(1));
    }

    /// <summary>The emulators, to which the gateway begins to connect before the first request.</summary>
    public static void AddEmulators(this WebApplicationBuilder builder, BridgeOptions options)
    {
        builder.Services.AddSingleton(TimeProvider.System);
        builder.Services.AddSingleton<MetricsPage>();
        builder.Services.AddSingleton(services =>
        {
            var emulators = new Emulators(
                options.EmulatorsOrDefault,
                options.Transport,
                services.GetRequiredService<TimeProvider>(),
                services.GetRequiredService<IMemoryPoolFactory<byte>>().Create(new MemoryPoolOptions { Owner = "mgba-bridge" }),
                services.GetRequiredService<ILogger<Emulators>>());
            EmulatorMetrics.Observe(emulators, services.GetRequiredService<IMeterFactory>());
            return emulators;
        });
        builder.Services.AddSingleton(services => new Searches(options.Search, services.GetRequiredService<TimeProvider>()));
        builder.Services.AddHostedService<EmulatorsLife>();
    }
}
