using System.Text;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Tests.Protocol;

public sealed class MessageHeadTests
{
    [Theory]
    [InlineData("#17 4711 9f3a01c2 ok", nameof(MessageKind.Reply), 17, false, 0, 4711, 0x9f3a01c2, "")]
    [InlineData("#17+16 4711 9f3a01c2 ok 1 2", nameof(MessageKind.Reply), 17, true, 16, 4711, 0x9f3a01c2, "1 2")]
    [InlineData("#18+0 0 00000000 ok", nameof(MessageKind.Reply), 18, true, 0, 0, 0, "")]
    [InlineData("#0 1 0000000a error busy \"no\"", nameof(MessageKind.Failure), 0, false, 0, 1, 10, "busy \"no\"")]
    [InlineData("!3 4713 9f3a01c2 game.closed", nameof(MessageKind.Event), 3, false, 0, 4713, 0x9f3a01c2, "game.closed")]
    [InlineData("#9007199254740991  5   00000001  ok  7", nameof(MessageKind.Reply), 9007199254740991, false, 0, 5, 1, " 7")]
    public void Parse_OfAMessage_FindsItsParts(string head, string kind, long id, bool hasTail, long tail, long frame, long epoch, string body)
    {
        var bytes = Encoding.UTF8.GetBytes(head);
        var message = MessageHead.Parse(bytes);
        Assert.Equal((kind, id, hasTail, tail, frame, new Epoch((uint)epoch)), (message.Kind.ToString(), message.Id, message.HasTail, message.TailLength, message.Frame, message.Epoch));
        Assert.Equal(body, Encoding.UTF8.GetString(bytes[message.BodyStart..]));
    }

    [Theory]
    [InlineData("")]
    [InlineData("#")]
    [InlineData("#17")]
    [InlineData("#17 4711")]
    [InlineData("#17 4711 9f3a01c")]
    [InlineData("#17 4711 9f3a01c2")]
    [InlineData("#17 4711 9f3a01c2x ok")]
    [InlineData("#17 4711 9f3a01c2 maybe")]
    [InlineData("#x 4711 9f3a01c2 ok")]
    [InlineData("#-1 4711 9f3a01c2 ok")]
    [InlineData("#+5 4711 9f3a01c2 ok")]
    [InlineData("#17+ 4711 9f3a01c2 ok")]
    [InlineData("#17+-4 4711 9f3a01c2 ok")]
    [InlineData("#9007199254740992 1 00000000 ok")]
    [InlineData("#99999999999999999999 1 00000000 ok")]
    [InlineData("#1+99999999999999999999 1 00000000 ok")]
    [InlineData("<|ERROR|>")]
    [InlineData("HTTP/1.1 400 Bad Request")]
    public void Parse_OfAnythingElse_IsForeign(string head) =>
        Assert.Equal(MessageKind.Foreign, MessageHead.Parse(Encoding.UTF8.GetBytes(head)).Kind);
}
