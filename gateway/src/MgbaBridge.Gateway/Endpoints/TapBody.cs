using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Keys to be pressed together.</summary>
public sealed record TapBody
{
    /// <summary>What is said when there are no keys.</summary>
    internal const string Forms = $"Say what to press. {KeySet.Forms}";

    /// <summary>The keys, at least one.</summary>
    [JsonConverter(typeof(KeySetConverter))]
    public required KeySet Keys { get; init; }

    /// <summary>For how many frames, 1 to 36000; 4 unless given.</summary>
    public long? Frames { get; init; }

    /// <summary>How many frames up before the same key may go down again, 1 to 36000; 2 unless given.</summary>
    public long? Gap { get; init; }

    /// <summary>Whether to answer when the keys are up again rather than at once.</summary>
    public bool Wait { get; init; }
}
