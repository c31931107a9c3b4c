using System.Text;
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
