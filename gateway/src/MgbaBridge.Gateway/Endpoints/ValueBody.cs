using System.Text.Json;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A value to be written.</summary>
public sealed record ValueBody
{
    /// <summary>A number, a text, a list, or bytes in base64: what the name stands for.</summary>
    public required JsonElement Value { get; init; }
}
