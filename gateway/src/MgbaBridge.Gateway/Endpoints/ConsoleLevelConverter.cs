using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A level in JSON: <c>"warn"</c>.</summary>
public sealed class ConsoleLevelConverter() : JsonStringEnumConverter<ConsoleLevel>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);
