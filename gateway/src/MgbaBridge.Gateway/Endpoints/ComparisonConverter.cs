using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A comparison in JSON: <c>"ge"</c>.</summary>
public sealed class ComparisonConverter() : JsonStringEnumConverter<Comparison>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);
