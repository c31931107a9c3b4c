using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Recordings;

/// <summary>The first line of a recording.</summary>
public sealed record RecordingHeader
{
    /// <summary>The version of the form.</summary>
    public const int Version = 1;

    /// <summary>Always <see cref="Version"/>.</summary>
    public required int Recording { get; init; }

    /// <summary>The game's title.</summary>
    public required string Title { get; init; }

    /// <summary>The CRC32 of the ROM.</summary>
    public required long Crc32 { get; init; }

    /// <summary>The frame that the state is of.</summary>
    public required long Frame { get; init; }

    /// <summary>The ranges of memory that the hashes are of, <c>wram:0x0/262144</c>.</summary>
    public required IReadOnlyList<string> Ranges { get; init; }

    /// <summary>The keys at the start, <c>A+Up</c>; empty for none.</summary>
    public required string Keys { get; init; }

    /// <summary>What the sensors of the cartridge showed at the start; absent where none was set.</summary>
    public SensorValues? Sensors { get; init; }

    /// <summary>What the camera of the cartridge saw at the start: a PNG of 128 x 112 pixels in base64; absent for darkness.</summary>
    public ReadOnlyMemory<byte>? Camera { get; init; }

    /// <summary>The cheats that were applied; absent for none.</summary>
    public IReadOnlyList<RecordedCheat>? Cheats { get; init; }

    /// <summary>The state of the machine at the start, in base64.</summary>
    public required ReadOnlyMemory<byte> State { get; init; }
}

/// <summary>A cheat that is applied in a recording.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Codes">Its codes.</param>
public sealed record RecordedCheat(string Name, IReadOnlyList<string> Codes);

/// <summary>A line of a recording behind the first: keys, sensors, what the camera sees, a hash, or the end.</summary>
public sealed record RecordingLine
{
    /// <summary>In which frame. Keys, sensors and camera: the first that ran with them. A hash: what memory held in that frame.</summary>
    public required long Frame { get; init; }

    /// <summary>The keys from then on, <c>A+Up</c>; empty for none.</summary>
    public string? Keys { get; init; }

    /// <summary>What the sensors of the cartridge show from then on.</summary>
    public SensorValues? Sensors { get; init; }

    /// <summary>What the camera of the cartridge sees from then on: a PNG of 128 x 112 pixels in base64; empty for darkness.</summary>
    public ReadOnlyMemory<byte>? Camera { get; init; }

    /// <summary>SHA-256 of the ranges, one behind the other.</summary>
    public string? Hash { get; init; }

    /// <summary>The ranges themselves, as <see cref="MemoryChanges"/> packs them, in base64; absent beyond a recording's limit.</summary>
    public ReadOnlyMemory<byte>? Memory { get; init; }

    /// <summary>The picture in that frame: a PNG in base64; absent beyond a recording's limit.</summary>
    public ReadOnlyMemory<byte>? Picture { get; init; }

    /// <summary>Why it ended.</summary>
    public string? End { get; init; }
}

/// <summary>The lines of a recording as JSON.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(IntegerConverter), typeof(ShortIntegerConverter)])]
[JsonSerializable(typeof(RecordingHeader))]
[JsonSerializable(typeof(RecordingLine))]
internal sealed partial class RecordingJson : JsonSerializerContext;
