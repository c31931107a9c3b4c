using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>When the game sees a press.</summary>
/// <param name="Frame">The script's frame count when it was answered.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Down">The first frame with the first key down.</param>
/// <param name="Up">The first frame without the last.</param>
public readonly record struct PressAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, long Down, long Up);
