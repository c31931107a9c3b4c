using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The symbols of the game.</summary>
/// <param name="Frame">The script's frame count when the game was asked for.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Crc32">The game's checksum.</param>
/// <param name="Format">What file they came from: elf, map or sym; left away when there are none.</param>
/// <param name="Count">How many there are in all, or how many have the text that was asked for.</param>
/// <param name="Next">The `offset` of the next page, if there is one.</param>
/// <param name="Symbols">Some of them, by place.</param>
public sealed record SymbolsAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    string Crc32,
    string? Format,
    int Count,
    int? Next,
    IReadOnlyList<SymbolAnswer> Symbols);
