using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Names;

/// <summary>A value of the game.</summary>
public sealed record PropertyBody : ShapeBody
{
    /// <summary>Where it is: an address, an offset in a domain, or a symbol, perhaps with an offset: `player+0x10`. With a chain: where the first pointer is.</summary>
    public required string At { get; init; }

    /// <summary>Pointers to be followed: at each step the pointer there is read and this is added. The last one gives the value's place.</summary>
    [JsonConverter(typeof(OffsetsConverter))]
    public IReadOnlyList<long>? Chain { get; init; }
}
