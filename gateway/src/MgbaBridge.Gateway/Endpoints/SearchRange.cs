using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A part of memory.</summary>
public sealed record SearchRange
{
    /// <summary>Where it starts.</summary>
    [JsonConverter(typeof(LocationConverter))]
    public required Location Location { get; init; }

    /// <summary>How many bytes.</summary>
    public required long Length { get; init; }
}
