using System.Buffers;
using System.Text;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Tests.Protocol;

public sealed class MessageReaderTests
{
    private const int Limit = 64;

    [Fact]
    public void Head_ArrivingByteByByte_IsCompleteAtItsLastByteOnly()
    {
        var message = "#17 4711 9f3a01c2 ok 5<|END|>"u8.ToArray();
        for (var length = 0; length < message.Length; length++)
        {
            Assert.Equal(MessageStatus.Incomplete, Read(message[..length], out _, out _));
        }

        Assert.Equal(MessageStatus.Complete, Read(message, out var head, out var rest));
        Assert.Equal("#17 4711 9f3a01c2 ok 5", head);
        Assert.Empty(rest);
    }

    [Theory]
    [InlineData("\r\n\t #1 ping<|END|>next", "#1 ping", "next")]
    [InlineData("#1+3 1 00000000 ok<|END|>abc#2", "#1+3 1 00000000 ok", "abc#2")]
    [InlineData("<|END|>", "", "")]
    [InlineData("#1 <|EN<|END|>", "#1 <|EN", "")]
    public void Head_WithWhatStandsAround_IsFound(string received, string head, string rest)
    {
        Assert.Equal(MessageStatus.Complete, Read(Encoding.UTF8.GetBytes(received), out var found, out var left));
        Assert.Equal(head, found);
        Assert.Equal(rest, Encoding.UTF8.GetString(left));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" \r\n ")]
    [InlineData("#17 47")]
    [InlineData("#17 4711 9f3a01c2 ok<|END|")]
    public void Head_Truncated_IsIncomplete(string received) =>
        Assert.Equal(MessageStatus.Incomplete, Read(Encoding.UTF8.GetBytes(received), out _, out _));

    [Fact]
    public void Head_AtTheLimit_IsCompleteAndOneByteMoreTooLong()
    {
        Assert.Equal(MessageStatus.Complete, Read(Encoding.UTF8.GetBytes(new string('a', Limit) + "<|END|>"), out _, out _));
        Assert.Equal(MessageStatus.TooLong, Read(Encoding.UTF8.GetBytes(new string('a', Limit + 1) + "<|END|>"), out _, out _));
    }

    [Fact]
    public void Head_WithoutEnd_IsTooLongOnceItCannotFit()
    {
        Assert.Equal(MessageStatus.Incomplete, Read(Encoding.UTF8.GetBytes(new string('a', Limit + 6)), out _, out _));
        Assert.Equal(MessageStatus.TooLong, Read(Encoding.UTF8.GetBytes(new string('a', Limit + 7)), out _, out _));
    }

    private static MessageStatus Read(byte[] received, out string head, out byte[] rest)
    {
        var buffer = Cut.IntoSegments(received, 1);
        var status = MessageReader.TryReadHead(buffer, Limit, out var found, out var next);
        head = Encoding.UTF8.GetString(found.ToArray());
        rest = buffer.Slice(next).ToArray();
        return status;
    }
}
