using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Frames to run.</summary>
public sealed record StepBody
{
    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(5);

    /// <summary>Exactly so many, 0 to 36000; 0 only does the items.</summary>
    public required long Frames { get; init; }

    /// <summary>The keys that are down from now on; those of the step before unless given.</summary>
    [JsonConverter(typeof(KeySetConverter))]
    public KeySet? Keys { get; init; }

    /// <summary>The frame in which the game has to stand now, else nothing runs (412): so a step whose answer was lost can be sent again and runs once.</summary>
    public long? From { get; init; }

    /// <summary>What to do on the frame that was reached, as in a batch.</summary>
    public IReadOnlyList<BatchItem>? Items { get; init; }

    /// <summary>How long so many frames may take.</summary>
    internal static TimeSpan LongestWait(long frames) => AtLeast + (PerFrame * Math.Clamp(frames, 0, 36_000));
}
