using MgbaBridge.Client.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>Sends traces and metrics to a collector, off the request path. What is still unsent goes out when the gateway ends.</summary>
internal sealed class OtlpExport(string? endpoint) : IHostedService, IDisposable
{
    private TracerProvider? _traces;
    private MeterProvider? _metrics;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _traces = Sdk.CreateTracerProviderBuilder().ConfigureResource(Describe)
            .AddSource(ClientTracing.SourceName, ToolTelemetry.SourceName, "Microsoft.AspNetCore").AddOtlpExporter(options => Direct(options, "v1/traces")).Build();
        _metrics = Sdk.CreateMeterProviderBuilder().ConfigureResource(Describe)
            .AddMeter([.. MetricsPage.Meters]).AddOtlpExporter(options => Direct(options, "v1/metrics")).Build();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>After the server has stopped, so that nothing is missing.</summary>
    public void Dispose()
    {
        _traces?.Dispose();
        _metrics?.Dispose();
    }

    private static void Describe(ResourceBuilder resource) =>
        resource.AddService("mgba-bridge", serviceVersion: typeof(OtlpExport).Assembly.GetName().Version?.ToString(3));

    // without Telemetry:OtlpEndpoint, the variables of OpenTelemetry apply, including the protocol
    private void Direct(OtlpExporterOptions options, string path)
    {
        if (!string.IsNullOrEmpty(endpoint))
        {
            options.Protocol = OtlpExportProtocol.HttpProtobuf;
            options.Endpoint = new Uri(new Uri(endpoint.TrimEnd('/') + "/"), path);
        }
    }
}
