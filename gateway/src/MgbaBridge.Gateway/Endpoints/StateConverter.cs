using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Emulator;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A state in JSON: <c>"script-missing"</c>.</summary>
public sealed class StateConverter() : JsonStringEnumConverter<EmulatorState>(JsonNamingPolicy.KebabCaseLower, allowIntegerValues: false);
