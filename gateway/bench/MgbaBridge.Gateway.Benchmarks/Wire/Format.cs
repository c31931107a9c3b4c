using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>How numbers and results are written.</summary>
internal static class Format
{
    public static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web) { Converters = { new JsonStringEnumConverter() } };

    public static readonly JsonSerializerOptions IndentedJson = new(Json) { WriteIndented = true };

    public static string Number(double? value, string format = "N0") => value?.ToString(format, CultureInfo.InvariantCulture) ?? "-";

    public static string Percent(double? part) => part is null ? "-" : (part.Value * 100).ToString("0.00", CultureInfo.InvariantCulture) + " %";
}

/// <summary>The measurement cannot continue; the message is the reason in one sentence.</summary>
internal sealed class MeasurementException(string message) : Exception(message);
