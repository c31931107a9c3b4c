using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The properties of the game.</summary>
/// <param name="Frame">The script's frame count when the game was asked for.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Crc32">The game's checksum.</param>
/// <param name="Properties">All of them, in the order of the map.</param>
public sealed record PropertiesAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    string Crc32,
    IReadOnlyList<PropertyAnswer> Properties);
