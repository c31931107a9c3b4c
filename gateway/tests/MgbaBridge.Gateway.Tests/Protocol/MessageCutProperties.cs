using System.Buffers;
using System.Globalization;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Tests.Protocol;

/// <summary>However the network cuts a conversation, the same messages come out.</summary>
public sealed class MessageCutProperties
{
    [Fact]
    public void Messages_CutAnywhere_AreTheSameMessages()
    {
        var sizes = Gen.Choose(1, 40).ArrayOf().ToArbitrary();
        Prop.ForAll(Conversations(), sizes, (conversation, cuts) =>
        {
            var whole = ReadAll(Cut.IntoSegments(conversation.Bytes, [conversation.Bytes.Length]));
            var inPieces = ReadAll(Cut.IntoSegments(conversation.Bytes, cuts));
            return whole.SequenceEqual(conversation.Messages) && inPieces.SequenceEqual(conversation.Messages);
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void Messages_ReceivedPieceByPiece_AreTheSameMessages()
    {
        var sizes = Gen.Choose(1, 40).NonEmptyListOf().Select(list => list.ToArray()).ToArbitrary();
        Prop.ForAll(Conversations(), sizes, (conversation, cuts) =>
        {
            var found = new List<string>();
            var kept = Array.Empty<byte>();
            var turn = 0;
            for (var at = 0; at < conversation.Bytes.Length; turn++)
            {
                var size = Math.Min(cuts[turn % cuts.Length], conversation.Bytes.Length - at);
                kept = [.. kept, .. conversation.Bytes.AsSpan(at, size)];
                at += size;
                kept = TakeAll(new ReadOnlySequence<byte>(kept), found);
            }

            return found.SequenceEqual(conversation.Messages) && kept.Length == 0;
        }).QuickCheckThrowOnFailure();
    }

    private static List<string> ReadAll(ReadOnlySequence<byte> buffer)
    {
        var found = new List<string>();
        TakeAll(buffer, found);
        return found;
    }

    private static byte[] TakeAll(ReadOnlySequence<byte> buffer, List<string> found)
    {
        while (MessageReader.TryReadHead(buffer, Limits.Head, out var head, out var next) == MessageStatus.Complete)
        {
            var text = head.ToArray();
            var message = MessageHead.Parse(text);
            var after = buffer.Slice(next);
            if (after.Length < message.TailLength)
            {
                break;
            }

            found.Add(Describe(message, text.AsSpan(message.BodyStart), after.Slice(0, message.TailLength).ToArray()));
            buffer = after.Slice(message.TailLength);
        }

        return buffer.ToArray();
    }

    private static Arbitrary<Conversation> Conversations()
    {
        var tails = Gen.Choose(0, 255).Select(value => (byte)value).ArrayOf();
        var texts = Gen.Choose(0, 255).Select(value => (byte)value).ArrayOf();
        var message =
            from id in Gen.Choose(1, int.MaxValue)
            from frame in Gen.Choose(0, int.MaxValue)
            from hasTail in Gen.Elements(true, false)
            from tail in tails
            from text in texts
            select new Sent(id, frame, hasTail ? tail : null, text);
        return message.ArrayOf().Select(sent => new Conversation(sent)).ToArbitrary();
    }

    private static string Describe(in MessageHead message, ReadOnlySpan<byte> body, byte[] tail)
    {
        var values = new ValueReader(body);
        values.Read();
        var text = new byte[values.Raw.Length];
        QuotedText.TryUnescape(values.Raw, text, out var length);
        return $"{message.Kind} {message.Id} {message.Frame} {Convert.ToHexString(text, 0, length)} {Convert.ToHexString(tail)}";
    }

    private sealed record Sent(int Id, int Frame, byte[]? Tail, byte[] Text)
    {
        public byte[] ToBytes()
        {
            var quoted = new byte[Text.Length * QuotedText.MaxGrowth];
            var length = QuotedText.Escape(Text, quoted);
            var count = Tail is null ? "" : string.Create(CultureInfo.InvariantCulture, $"+{Tail.Length}");
            return
            [
                .. Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"#{Id}{count} {Frame} 0000abcd ok \"")),
                .. quoted.AsSpan(0, length),
                .. "\"<|END|>"u8,
                .. Tail ?? [],
            ];
        }
    }

    private sealed class Conversation(Sent[] sent)
    {
        public byte[] Bytes { get; } = [.. sent.SelectMany(message => message.ToBytes())];

        public string[] Messages { get; } =
            [.. sent.Select(message => $"Reply {message.Id} {message.Frame} {Convert.ToHexString(message.Text)} {Convert.ToHexString(message.Tail ?? [])}")];

        public override string ToString() => Convert.ToHexString(Bytes);
    }
}
