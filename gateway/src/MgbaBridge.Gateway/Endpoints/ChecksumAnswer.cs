using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The checksum of the ROM.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Crc32">Its CRC32, `0x` and eight hex digits.</param>
public readonly record struct ChecksumAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    string Crc32);
