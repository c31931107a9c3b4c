using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A state to go back to.</summary>
/// <param name="Frame">The frame that it is of, which is its name.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">How many bytes it has.</param>
public readonly record struct RewindPointAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, int Bytes);
