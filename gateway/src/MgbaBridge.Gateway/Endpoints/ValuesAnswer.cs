using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Values with names, all from one frame.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Values">The values, in the order that was asked for.</param>
public readonly record struct ValuesAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    IReadOnlyList<NamedAnswer> Values);
