using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <content>Talking to an older script: its answers have no ids, so there is one message at a time, and nothing that may have run is sent again.</content>
internal sealed partial class Connection
{
    private bool _legacy;

    // bytes come as hex with commas
    private int LongestLegacy => Math.Max(Protocol.Wire.DefaultHeadLimit, (int)Math.Min(int.MaxValue / 2, _settings.Now.MaxReplyTail * 3L));

    /// <summary>From the first message on. To be said before it is sent.</summary>
    public void SpeakLegacy()
    {
        _legacy = true;
        _outbox.SpeakLegacy();
    }

    private FailureReport? WhyNotLegacy(Exchange exchange)
    {
        if (exchange.MayHaveLeft && exchange.Row.Kind == CommandKind.Effect)
        {
            return FailureText.Indeterminate("The connection broke before the answer came, and an older script cannot be asked whether it ran.");
        }

        return exchange.LegacyForm is null || exchange.Options.Epoch is not null ? FailureText.LegacyLacks(_address, exchange.Row.Name) : null;
    }

    private void TakeLegacy(ReadOnlySpan<byte> text)
    {
        switch (_waiting.TakeOnly(out var exchange))
        {
            case WaitingTable.Found.Unknown: throw Broken($"it said {Stranger.Quote(text)}, and nothing was asked.");
            case WaitingTable.Found.Waiting: _answered.Enqueue((exchange!, LegacyReplies.Read(exchange!.LegacyForm!.Value.Answer, text, _settings.Now.MaxReplyTail))); break;
        }
    }
}
