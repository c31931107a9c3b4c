using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>One step of a sequence.</summary>
public sealed record SequenceStep
{
    /// <summary>The keys to press together; none to wait.</summary>
    [JsonConverter(typeof(KeySetConverter))]
    public KeySet Keys { get; init; }

    /// <summary>For how many frames, 1 to 36000.</summary>
    public required long Frames { get; init; }
}
