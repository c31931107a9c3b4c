using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The end of a lease.</summary>
/// <param name="Frame">The frame from which on the game runs by itself.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Released">Whether there was one.</param>
public readonly record struct ReleaseAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, bool Released);
