namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>Where traces and metrics are sent, besides <c>/metrics</c>.</summary>
public sealed record TelemetryOptions
{
    /// <summary>The variable by which OpenTelemetry's own programs are told the same.</summary>
    public const string Variable = "OTEL_EXPORTER_OTLP_ENDPOINT";

    /// <summary>A collector that takes OTLP over HTTP (protobuf), such as <c>http://127.0.0.1:4318</c>. Default: what
    /// <c>OTEL_EXPORTER_OTLP_ENDPOINT</c> says, else nothing is sent.</summary>
    public string? OtlpEndpoint { get; set; }

    /// <summary>What is wrong with these settings, a sentence each.</summary>
    public IEnumerable<string> Validate()
    {
        if (!string.IsNullOrEmpty(OtlpEndpoint) && !(Uri.TryCreate(OtlpEndpoint, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https"))
        {
            yield return "OtlpEndpoint has to be a URL such as http://127.0.0.1:4318.";
        }
    }
}
