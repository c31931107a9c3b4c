using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>It was done.</summary>
/// <param name="Frame">The script's frame count when it was done.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
public readonly record struct DoneAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch);
