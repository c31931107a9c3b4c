using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Endpoints;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>A picture or a state.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">Its bytes in base64; absent when they follow as a binary message.</param>
public readonly record struct SocketBytesAnswer(
    long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, ReadOnlyMemory<byte>? Bytes);
