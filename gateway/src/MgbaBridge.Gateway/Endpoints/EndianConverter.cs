using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The order of bytes in JSON: <c>"little"</c>.</summary>
public sealed class EndianConverter() : JsonStringEnumConverter<Endian>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);
