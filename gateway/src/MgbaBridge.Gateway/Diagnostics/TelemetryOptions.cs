using MgbaBridge.Client.Validation;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>Where traces and metrics are sent, besides <c>/metrics</c>.</summary>
public sealed record TelemetryOptions
{
    /// <summary>The standard environment variable of OpenTelemetry for this setting.</summary>
    public const string Variable = "OTEL_EXPORTER_OTLP_ENDPOINT";

    /// <summary>A collector that takes OTLP over HTTP (protobuf), such as <c>http://127.0.0.1:4318</c>. Default: what
    /// <c>OTEL_EXPORTER_OTLP_ENDPOINT</c> says, else nothing is sent.</summary>
    [HttpUrl]
    public string? OtlpEndpoint { get; set; }
}

/// <summary>Accepts URLs of HTTP servers.</summary>
internal sealed class HttpUrlAttribute : SettingAttribute
{
    public override string Limits => "an http or https URL, such as http://127.0.0.1:4318";

    public override bool IsValid(object? value) =>
        value is not string { Length: > 0 } url || (Uri.TryCreate(url, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https");
}
