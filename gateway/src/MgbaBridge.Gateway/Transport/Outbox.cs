using System.Net.Sockets;
using System.Text;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Transport;

/// <summary>
/// The sending half of a connection. While one send is under way, what is written meanwhile leaves together in the next. While several requests
/// wait for their replies, what is asked in the same turn of the sockets' thread leaves together, too: a send costs more than a message.
/// </summary>
internal sealed partial class Outbox(Socket socket, Session session, WaitingTable waiting, Func<bool> hasUnread, Action<string> broken) : IDisposable, IThreadPoolWorkItem
{
    // fewer requests than this wait for nobody; and the script is to begin with the first of many while the last are still written
    private const int GatherFrom = 8;
    private const int MaxTogether = 8;

    private readonly Lock _gate = new();

    // elsewhere another thread takes the answer
    private readonly ReplySpinWait? _shortWait = OperatingSystem.IsLinux() ? new ReplySpinWait(hasUnread) : null;
    private SendBuffer _filling = new();
    private SendBuffer _leaving = new();
    private State _state;
    private int _gathered;
    private bool _greeted;
    private bool _legacy;
    private bool _finishing;
    private bool _ending;
    private bool _closed;

    private enum State
    {
        Idle,
        Gathering,
        Sending,
    }

    /// <summary>What became of a message.</summary>
    public enum Written
    {
        Accepted,
        HeadTooLong,
        NoRoom,
        Closed,
    }

    /// <summary>
    /// Writes a message, puts its exchange among those that wait, and sees to it that the message leaves. In this order and under one
    /// lock: before it waits it is nobody else's, and nothing leaves before it waits. Afterwards it may be over at any time.
    /// </summary>
    public Written Write(Exchange exchange, uint? epoch, int headLimit, int waitingLimit, IExchangeHolder holder)
    {
        lock (_gate)
        {
            if (_closed || _ending || (_finishing && !exchange.ExemptFromTimeout))
            {
                return Written.Closed;
            }

            var start = _filling.Length;
            var headLength = _legacy ? WriteLegacy(exchange.LegacyFormat!.Value) : exchange.WriteTo(_filling, Acknowledgement(exchange), epoch);
            if (headLength - Wire.Terminator.Length > headLimit)
            {
                _filling.Truncate(start);
                return Written.HeadTooLong;
            }

            var span = exchange.Span;
            if (!waiting.TryAdd(exchange, holder, waitingLimit, out var closed))
            {
                _filling.Truncate(start);
                return closed ? Written.Closed : Written.NoRoom;
            }

            GatewayTracing.Note(span, "sent");
            EndGreeting();
            if (_state == State.Sending || WaitsForMore())
            {
                return Written.Accepted;
            }

            _state = State.Sending;
        }

        SendAll();
        _shortWait?.Look(waiting.Count);
        return Written.Accepted;
    }

    /// <summary>The turn is over: what was gathered leaves.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        lock (_gate)
        {
            if (_state != State.Gathering)
            {
                return;
            }

            _state = State.Sending;
        }

        SendAll();
    }

    /// <summary>From the first message on in the words of an older script.</summary>
    public void SpeakLegacy() => (_legacy, _greeted) = (true, true);

    /// <summary>Accepts nothing more but signs of life and what is taken back; what was accepted still leaves.</summary>
    public void Finish()
    {
        lock (_gate)
        {
            _finishing = true;
        }
    }

    /// <summary>Accepts nothing more; when all has left, the script is told that this was the end.</summary>
    public void ShutDown()
    {
        lock (_gate)
        {
            _ending = true;
            if (_state == State.Idle && !_closed)
            {
                TellEnd();
            }
        }
    }

    /// <summary>Accepts nothing more, and nothing leaves any more.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _closed = true;
            if (_state == State.Idle)
            {
                ReturnBuffers();
            }
        }
    }

    private bool WaitsForMore()
    {
        if (_state == State.Gathering)
        {
            return ++_gathered < MaxTogether;
        }

        if (waiting.Count < GatherFrom || SendScheduler.Shared?.TryAtEnd(this) != true)
        {
            return false;
        }

        (_state, _gathered) = (State.Gathering, 1);
        return true;
    }

    private int WriteLegacy(in LegacyFormat form)
    {
        var message = form.Message + Wire.TerminatorText;
        var length = Encoding.UTF8.GetBytes(message, _filling.GetSpan(Encoding.UTF8.GetMaxByteCount(message.Length)));
        _filling.Advance(length);
        return length;
    }

    // only effects are kept by the script; pings carry it too, so that an idle session is forgotten down to nothing
    private long Acknowledgement(Exchange exchange) =>
        exchange.Unattended || exchange.Descriptor.Kind == CommandKind.Effect ? session.Acknowledged : 0;

    // white space after the first message means nothing to the script, and makes a web server on this port answer at once
    private void EndGreeting()
    {
        if (!_greeted)
        {
            _greeted = true;
            "\r\n\r\n"u8.CopyTo(_filling.GetSpan(4));
            _filling.Advance(4);
        }
    }
}
