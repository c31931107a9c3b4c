using System.Text;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Transport;

/// <content>What the script says unasked.</content>
internal sealed partial class Connection
{
    private void Announce(in MessageHead message, ReadOnlySpan<byte> body)
    {
        var space = body.IndexOf((byte)' ');
        var topic = Encoding.UTF8.GetString(space < 0 ? body : body[..space]);
        var values = space < 0 ? [] : body[(space + 1)..].ToArray();
        var tail = message.TailLength is > 0 and var length && length <= _settings.Now.MaxReplyTail ? new byte[length] : [];
        var announcement = new Announcement(message.Id, message.Frame, message.Epoch, topic, values, tail);
        if (tail.Length == 0)
        {
            _events.Announced(announcement);
            return;
        }

        (_fillingEvent, _tail, _filled, _skip) = (announcement, tail, 0, 0);
    }
}

/// <content>Talking to an older script: its answers have no ids, so there is one message at a time, and nothing that may have run is sent again.</content>
internal sealed partial class Connection
{
    private bool _legacy;

    // bytes come as hex with commas
    private int MaxLegacy => Math.Max(Protocol.Wire.DefaultHeadLimit, (int)Math.Min(int.MaxValue / 2, _settings.Now.MaxReplyTail * 3L));

    /// <summary>From the first message on. To be said before it is sent.</summary>
    public void SpeakLegacy()
    {
        _legacy = true;
        _outbox.SpeakLegacy();
    }

    private FailureReport? WhyNotLegacy(Exchange exchange)
    {
        if (exchange.MayHaveLeft && exchange.Descriptor.Kind == CommandKind.Effect)
        {
            return FailureText.Indeterminate("The connection broke before the answer came, and an older script cannot be asked whether it ran.");
        }

        return exchange.LegacyFormat is null || exchange.Options.Epoch is not null ? FailureText.LegacyLacks(_address, exchange.Descriptor.Name) : null;
    }

    private void TakeLegacy(ReadOnlySpan<byte> text)
    {
        switch (_waiting.TakeOnly(out var exchange))
        {
            case WaitingTable.Found.Unknown: throw Broken($"it said {UnexpectedPeer.Quote(text)}, and nothing was asked.");
            case WaitingTable.Found.Waiting: _answered.Enqueue((exchange!, LegacyReplies.Read(exchange!.LegacyFormat!.Value.Answer, text, _settings.Now.MaxReplyTail))); break;
        }
    }
}
