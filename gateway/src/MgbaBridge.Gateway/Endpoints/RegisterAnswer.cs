using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A register of the processor.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value, unsigned.</param>
public readonly record struct RegisterAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    string Name,
    long Value);
