using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A number's type in JSON: <c>"u16"</c>.</summary>
public sealed class NumberTypeConverter() : JsonStringEnumConverter<NumberType>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);
