using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A range of memory.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Location">Where it starts.</param>
/// <param name="Bytes">The bytes, in base64. Ask with <c>Accept: application/octet-stream</c> to get them raw.</param>
public readonly record struct BytesAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    ReadOnlyMemory<byte> Bytes);
