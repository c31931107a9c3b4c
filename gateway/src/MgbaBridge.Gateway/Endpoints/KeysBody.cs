using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Some keys.</summary>
public sealed record KeysBody
{
    /// <summary>The keys.</summary>
    [JsonConverter(typeof(KeySetConverter))]
    public required KeySet Keys { get; init; }
}
