namespace MgbaBridge.Gateway.Names;

/// <summary>A property map: what the values of a game are called, where they are and what they are.</summary>
public sealed record MapBody
{
    /// <summary>The game's CRC32 in hex, as GET /v2/game tells it. Left away: the game that is open.</summary>
    public string? Crc32 { get; init; }

    /// <summary>Text tables by name. `ascii` is always there.</summary>
    public Dictionary<string, TextTableBody>? TextTables { get; init; }

    /// <summary>Structs by name, which can be used as a type. One may have another one inside that stands before it.</summary>
    public Dictionary<string, StructBody>? Structs { get; init; }

    /// <summary>The properties by name, such as `player.hp`.</summary>
    public required Dictionary<string, PropertyBody> Properties { get; init; }
}
