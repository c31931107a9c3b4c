using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A value of memory.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Location">Where it was read.</param>
/// <param name="Value">A number, a text, a list of numbers, or bytes in base64.</param>
public readonly record struct MemoryValueAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    JsonNode Value);
