using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Frames to run.</summary>
public sealed record StepBody
{
    /// <summary>Exactly so many, 0 to 36000; 0 only does the items.</summary>
    public required long Frames { get; init; }

    /// <summary>The keys that are down from now on; those of the step before unless given.</summary>
    [JsonConverter(typeof(KeySetConverter))]
    public KeySet? Keys { get; init; }

    /// <summary>What to do on the frame that was reached, as in a batch.</summary>
    public IReadOnlyList<BatchItem>? Items { get; init; }
}
