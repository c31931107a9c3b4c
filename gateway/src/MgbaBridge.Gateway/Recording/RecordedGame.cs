using System.Buffers;
using System.Text.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Recording;

/// <summary>A recording as it is read back: a state, and what to do and to find in which frame after it.</summary>
/// <param name="Header">The first line.</param>
/// <param name="Ranges">What the hashes are of.</param>
/// <param name="Lines">The others.</param>
public sealed record RecordedGame(RecordingHeader Header, HashedRanges Ranges, IReadOnlyList<RecordingLine> Lines)
{
    private const int MostLines = 100_000;
    private const long MostFrames = 2_592_000;

    /// <summary>Reads the lines of a file, or says what is wrong with one.</summary>
    public static RecordedGame? Parse(ReadOnlySequence<byte> file, out string wrong)
    {
        var number = 0;
        try
        {
            var reader = new SequenceReader<byte>(file);
            RecordingHeader? header = null;
            var lines = new List<RecordingLine>();
            while (TryLine(ref reader, out var line))
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
            wrong = $"Line {number} is no line of a recording: {exception.Message}";
            return null;
        }
    }

    private static string? Wrong(RecordingHeader? header, HashedRanges? ranges, List<RecordingLine> lines) =>
        header is not { Recording: RecordingHeader.Version } ? "The first line of a recording of version 1 has recording, title, crc32, frame, ranges, keys and state."
        : ranges is null ? HashedRanges.Forms
        : !KeySet.TryParse(header.Keys, out _) || lines.Any(line => line.Keys is { } keys && !KeySet.TryParse(keys, out _)) ? KeySet.Forms
        : lines.Count > MostLines || lines.Any(line => line.Frame - header.Frame is < 0 or > MostFrames) ? $"A recording has at most {MostLines} lines and {MostFrames} frames, none before its state."
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

    private static T Read<T>(ReadOnlySequence<byte> line, System.Text.Json.Serialization.Metadata.JsonTypeInfo<T> type)
    {
        var reader = new Utf8JsonReader(line);
        return JsonSerializer.Deserialize(ref reader, type) ?? throw new JsonException("it is null.");
    }
}
