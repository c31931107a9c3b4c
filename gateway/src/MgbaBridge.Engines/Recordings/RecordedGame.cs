using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Validation;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Engines.Recordings;

/// <summary>A recording as it is read back: a state, and what to do and to find in which frame after it.</summary>
/// <param name="Header">The first line.</param>
/// <param name="Ranges">What the hashes are of.</param>
/// <param name="Lines">The others.</param>
public sealed record RecordedGame(RecordingHeader Header, HashedRanges Ranges, IReadOnlyList<RecordingLine> Lines)
{
    private const int MaxLines = 100_000;
    private const long MaxFrames = 2_592_000;

    /// <summary>How many frames it has.</summary>
    public long Frames => Lines.Count > 0 ? Lines[^1].Frame - Header.Frame : 0;

    /// <summary>The frames behind a line whose picture has the state of the game.</summary>
    public RecordedGame From(RecordingLine line)
    {
        var before = Lines.TakeWhile(one => one != line).ToList();
        var keys = before.LastOrDefault(static one => one.Keys is not null)?.Keys ?? Header.Keys;
        var sensors = before.LastOrDefault(static one => one.Sensors is not null)?.Sensors ?? Header.Sensors;
        var camera = before.LastOrDefault(static one => one.Camera is not null)?.Camera ?? Header.Camera;
        return this with { Header = Header with { Frame = line.Frame, Keys = keys, Sensors = sensors, Camera = camera, State = line.Picture!.Value }, Lines = [.. Lines.Skip(before.Count + 1)] };
    }

    /// <summary>Which keys are held for how many frames, as the lines of a file of key presses.</summary>
    public IEnumerable<string> Inputs()
    {
        var (from, keys) = (Header.Frame, Header.Keys);
        foreach (var line in Lines.Where(static line => line.Keys is not null).Append(new RecordingLine { Frame = Header.Frame + Frames, Keys = "" }))
        {
            if (line.Frame > from)
            {
                yield return string.Create(CultureInfo.InvariantCulture, $"{(keys.Length == 0 ? "." : keys)} {line.Frame - from}");
            }

            (from, keys) = (line.Frame, line.Keys!);
        }
    }

    /// <summary>The memory that a hash is of; null when the recording does not have it.</summary>
    public ReadOnlyMemory<byte>? MemoryOf(RecordingLine line)
    {
        var changes = new MemoryChanges((int)MemoryRange.TotalLength(Ranges.Ranges));
        foreach (var hashed in Lines.Where(static one => one.Hash is not null).TakeWhile(one => one.Frame <= line.Frame))
        {
            if (hashed.Memory is not { } packed || !changes.TryUnpack(packed.Span))
            {
                return null;
            }
        }

        return HashedRanges.Hash(changes.Memory) == line.Hash ? changes.Memory.ToArray() : (ReadOnlyMemory<byte>?)null;
    }

    /// <summary>Reads the lines of a file, or says what is wrong with one.</summary>
    public static RecordedGame? Parse(ReadOnlySequence<byte> file, out string wrong)
    {
        var (number, line) = (0, default(ReadOnlySequence<byte>));
        RecordingHeader? header = null;
        try
        {
            var reader = new SequenceReader<byte>(file);
            var lines = new List<RecordingLine>();
            while (TryLine(ref reader, out line))
            {
                number++;
                if (header is null)
                {
                    header = Read(line, RecordingJson.Default.RecordingHeader);
                }
                else if (!line.IsEmpty)
                {
                    lines.Add(Read(line, RecordingJson.Default.RecordingLine));
                }
            }

            var ranges = header is null ? null : HashedRanges.Parse(header.Ranges);
            wrong = Wrong(header, ranges, lines) ?? "";
            return wrong.Length > 0 ? null : new RecordedGame(header!, ranges!, lines);
        }
        catch (JsonException exception)
        {
            JsonTypeInfo type = header is null ? RecordingJson.Default.RecordingHeader : RecordingJson.Default.RecordingLine;
            wrong = $"Line {number} is not a line of a recording: {JsonMistake.Of(exception, line.ToArray(), type)}";
            return null;
        }
    }

    private static string? Wrong(RecordingHeader? header, HashedRanges? ranges, List<RecordingLine> lines) =>
        header is not { Recording: RecordingHeader.Version } ? "The first line of a recording of version 1 has recording, title, crc32, frame, ranges, keys and state."
        : ranges is null ? HashedRanges.ExpectedFormat
        : !KeySet.TryParse(header.Keys, out _) || lines.Any(line => line.Keys is { } keys && !KeySet.TryParse(keys, out _)) ? KeySet.ExpectedFormat
        : lines.Select(static line => line.Sensors).Append(header.Sensors).Any(static sensors => sensors is { IsPossible: false }) ? SensorValues.ExpectedFormat
        : lines.Select(static line => line.Camera).Append(header.Camera).Any(static camera => camera is { } picture && !CameraPicture.TryReadPng(picture.Span, out _)) ? "camera is a PNG of 128 x 112 pixels in base64, or empty."
        : lines.Count > MaxLines || lines.Any(line => line.Frame - header.Frame is < 0 or > MaxFrames) ? $"A recording has at most {MaxLines} lines and {MaxFrames} frames, none before its state."
        : lines.Zip(lines.Skip(1)).Any(pair => pair.Second.Frame < pair.First.Frame) ? "The lines are not in the order of their frames."
        : null;

    private static bool TryLine(ref SequenceReader<byte> reader, out ReadOnlySequence<byte> line)
    {
        if (reader.TryReadTo(out line, (byte)'\n'))
        {
            return true;
        }

        line = reader.UnreadSequence;
        reader.AdvanceToEnd();
        return !line.IsEmpty;
    }

    private static T Read<T>(ReadOnlySequence<byte> line, JsonTypeInfo<T> type)
    {
        var reader = new Utf8JsonReader(line);
        return JsonSerializer.Deserialize(ref reader, type) ?? throw new JsonValueException(JsonMistake.Null);
    }
}

/// <summary>What a hash is of: some ranges of memory of one frame, one behind the other.</summary>
/// <param name="Ranges">The ranges.</param>
public sealed record HashedRanges(IReadOnlyList<MemoryRange> Ranges)
{
    /// <summary>The most ranges.</summary>
    public const int MaxRanges = 16;

    /// <summary>The most bytes, all together.</summary>
    public const int MaxBytes = 1_048_576;

    /// <summary>What ranges look like.</summary>
    public static readonly string ExpectedFormat = $"ranges are 1 to {MaxRanges} texts such as wram:0x0/262144, a location and a length, together at most {MaxBytes >> 20} MiB.";

    /// <summary>All of the working memory of a machine.</summary>
    public static HashedRanges Of(GameInfo game) => new(game.Platform == "gba"
        ? [new MemoryRange(new Location("wram", 0), 262_144, null), new MemoryRange(new Location("iwram", 0), 32_768, null)]
        : [new MemoryRange(new Location("wram", 0), 8_192, null), new MemoryRange(new Location("hram", 0), 127, null)]);

    /// <summary>Reads texts such as <c>wram:0x0/262144</c>.</summary>
    public static HashedRanges? Parse(IReadOnlyList<string> texts)
    {
        var ranges = new List<MemoryRange>();
        foreach (var text in texts)
        {
            var slash = text?.LastIndexOf('/') ?? -1;
            if (slash < 0 || !Location.TryParse(text.AsSpan(0, slash), out var location)
                || !long.TryParse(text.AsSpan(slash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var length) || length is < 1 or > MaxBytes)
            {
                return null;
            }

            ranges.Add(new MemoryRange(location, length, null));
        }

        return ranges.Count is 0 or > MaxRanges || MemoryRange.TotalLength(ranges) > MaxBytes ? null : new HashedRanges(ranges);
    }

    /// <summary>The ranges as texts.</summary>
    public IReadOnlyList<string> Texts() => [.. Ranges.Select(range => string.Create(CultureInfo.InvariantCulture, $"{range.Location}/{range.Length}"))];

    /// <summary>The hash of these bytes.</summary>
    public static string Hash(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(SHA256.HashData(bytes));
}
