using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What was read, all in one frame.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Reads">In the order of the request.</param>
public readonly record struct ReadsAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    IReadOnlyList<ReadAnswer> Reads);
