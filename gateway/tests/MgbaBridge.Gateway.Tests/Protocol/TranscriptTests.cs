using System.Buffers;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Protocol;

/// <summary>The gateway reads what the script sends in docs/transcripts; the script's tests replay the same files.</summary>
public sealed partial class TranscriptTests
{
    public static TheoryData<string> Files =>
        new(Directory.GetFiles(Repository.File("docs/transcripts"), "*.txt").Select(file => Path.GetFileName(file)).Order());

    [Theory]
    [MemberData(nameof(Files))]
    public void Messages_OfATranscript_AreReadWhole(string file)
    {
        var messages = Messages([.. File.ReadAllLines(Repository.File("docs/transcripts/" + file)).Where(line => !line.StartsWith('#'))]).ToList();
        foreach (var size in (int[])[1, 7, 4096])
        {
            var rest = Cut.IntoSegments([.. messages.SelectMany(message => message.Bytes)], size);
            foreach (var message in messages)
            {
                Assert.Equal(MessageStatus.Complete, MessageReader.TryReadHead(rest, Limits.Head, out var head, out var next));
                var tail = Check(message, head.ToArray());
                rest = rest.Slice(next);
                Assert.Equal(message.Tail, rest.Slice(0, tail).ToArray());
                rest = rest.Slice(tail);
            }

            Assert.True(rest.IsEmpty);
        }
    }

    private static long Check(Message message, byte[] head)
    {
        Assert.Equal(message.Head, Encoding.UTF8.GetString(head));
        var parsed = MessageHead.Parse(head);
        Assert.Equal(message.Kind, parsed.Kind);
        if (parsed.Kind == MessageKind.Foreign)
        {
            return 0; // mGBA-http's form
        }

        Assert.Equal((4711L, new Epoch(0x9f3a01c2)), (parsed.Frame, parsed.Epoch));
        Assert.Equal(message.Head[parsed.BodyStart..].Trim(' '), Spelled(head.AsSpan(parsed.BodyStart)));
        return parsed.TailLength;
    }

    /// <summary>The values as the reader finds them, in the form of the wire.</summary>
    private static string Spelled(ReadOnlySpan<byte> body)
    {
        var text = new List<string>();
        var values = new ValueReader(body);
        while (values.Read())
        {
            var quote = values.Kind == ValueKind.Text ? "\"" : "";
            text.Add((values.Name.IsEmpty ? "" : Encoding.UTF8.GetString(values.Name) + "=") + quote + Encoding.UTF8.GetString(values.Raw) + quote);
        }

        return string.Join(' ', text);
    }

    private static IEnumerable<Message> Messages(string[] lines)
    {
        for (var i = 0; i < lines.Length; i++)
        {
            if (!lines[i].StartsWith("< ", StringComparison.Ordinal))
            {
                continue;
            }

            var head = Placeholders().Replace(lines[i][2..], match => Examples[match.Groups[1].Value]);
            var tail = new List<byte>();
            for (; i + 1 < lines.Length && lines[i + 1].StartsWith("<+ ", StringComparison.Ordinal); i++)
            {
                var bytes = lines[i + 1][3..];
                var any = AnyBytes().Match(bytes);
                tail.AddRange(any.Success ? new byte[int.Parse(any.Groups[1].Value, null)] : Convert.FromHexString(bytes));
            }

            yield return new Message(head, [.. tail]);
        }
    }

    // As docs/transcripts/README.md lists them
    private static readonly Dictionary<string, string> Examples = new()
    {
        ["frame"] = "4711",
        ["epoch"] = "9f3a01c2",
        ["number"] = "42",
        ["hex"] = "53a1c0de",
        ["string"] = "\"any text\"",
        ["any"] = "any=1",
        ["challenge"] = "00112233445566778899aabbccddeeff",
    };

    [GeneratedRegex(@"\{(\w+)\}")]
    private static partial Regex Placeholders();

    [GeneratedRegex(@"^\{bytes (\d+)\}$")]
    private static partial Regex AnyBytes();

    private sealed record Message(string Head, byte[] Tail)
    {
        public MessageKind Kind => Head switch
        {
            ['!', ..] => MessageKind.Event,
            ['#', ..] => Head.Contains(" error ", StringComparison.Ordinal) ? MessageKind.Failure : MessageKind.Reply,
            _ => MessageKind.Foreign,
        };

        public byte[] Bytes => [.. Encoding.UTF8.GetBytes(Head), .. Wire.Terminator, .. Tail];
    }
}
