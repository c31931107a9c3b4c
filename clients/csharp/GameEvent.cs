using System.Runtime.InteropServices;
using System.Text.Json.Nodes;

namespace MgbaBridge.Http;

/// <summary>Something that happened.</summary>
/// <param name="Name">What, such as <c>frame</c>, <c>keys</c> or <c>game.reset</c>; <c>lost</c> counts events that were dropped because they were not taken in time.</param>
/// <param name="Id">Names it, or null.</param>
/// <param name="Fields">The fields that its topic has.</param>
public sealed record GameEvent(string Name, string? Id, JsonObject Fields)
{
    /// <summary>The frame in which it happened; 0 when it belongs to none.</summary>
    public long Frame => (long?)Fields["frame"] ?? 0;

    /// <summary>Changes when the script or the game changes.</summary>
    public string? Epoch => (string?)Fields["epoch"];

    /// <summary>The topic, written in full.</summary>
    public string? Topic => (string?)Fields["topic"];

    /// <summary>Of <c>keys</c>: those that are down.</summary>
    public IReadOnlyList<string> Keys => Fields["keys"] is JsonArray keys ? [.. keys.Select(key => (string)key!)] : [];

    /// <summary>Of <c>memory</c>: what is there now; of <c>sound</c>: the samples, left and right in turn, 16 bits each.</summary>
    public byte[] Bytes => (string?)Fields["bytes"] is { } text ? Convert.FromBase64String(text) : [];

    /// <summary>Of <c>sound</c>: the samples, left and right in turn.</summary>
    public short[] Samples => MemoryMarshal.Cast<byte, short>(Bytes).ToArray();

    /// <summary>Of <c>lost</c>: how many.</summary>
    public long Lost => (long?)Fields["lost"] ?? 0;
}
