using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A value with a name.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Name">The name.</param>
/// <param name="Location">Where it was found; left away where a pointer of its chain is 0.</param>
/// <param name="Value">A number, a text, a list, or an object; bytes in base64. Left away where a pointer of its chain is 0.</param>
public readonly record struct ValueAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    string Name,
    [property: JsonConverter(typeof(LocationConverter))] Location? Location,
    JsonNode? Value);
