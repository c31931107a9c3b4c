using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Transport;

/// <content>The receiving half: bytes to messages to the exchanges that wait for them.</content>
internal sealed partial class Connection
{
    private const int LeastRoom = 1_024;

    // holds what MessageHead.Parse reads of the longest head
    private const int HeadStart = 128;

    private readonly Pipe _received;
    private readonly Queue<(Exchange Exchange, Reply Reply)> _answered = new();
    private byte[] _scratch = [];
    private bool _greeted;

    // a message whose tail has not come whole yet
    private long _fillingId;
    private Reply? _fillingReply;
    private Announcement? _fillingEvent;
    private Memory<byte> _tail;
    private int _filled;
    private long _skip;
    private bool _skipsHead;

    private int HeadLimit => _legacy ? MaxLegacy : Wire.DefaultHeadLimit;

    private static Pipe NewPipe(MemoryPool<byte> memory) => new(new PipeOptions(
        memory, PipeScheduler.Inline, PipeScheduler.Inline, pauseWriterThreshold: 0, resumeWriterThreshold: 0, useSynchronizationContext: false));

    private async Task ReceiveAsync()
    {
        FailureReport why;
        try
        {
            // one loop in one method: a call per receive would be an allocation per receive
            while (true)
            {
                var count = await _socket.ReceiveAsync(NextSpace(), SocketFlags.None);
                if (count == 0)
                {
                    break;
                }

                RecordActivity();
                if (!_tail.IsEmpty)
                {
                    FillTail(count);
                }
                else
                {
                    _received.Writer.Advance(count);
                    await _received.Writer.FlushAsync();
                    Deliver();
                }

                if (_waiting.Count > 0)
                {
                    PromptAcknowledgement.Send(_socket);
                }

                EndAnswered();
            }

            why = _closedBy ?? _ending ?? FailureText.ConnectionLost(_address, "the script closed it.");
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            why = _ending ?? FailureText.ConnectionLost(_address, exception.Message);
        }
        catch (BrokenStreamException exception)
        {
            why = exception.Report;
        }
        catch (Exception exception)
        {
            // a mistake of ours must end this connection and not leave it open with nobody reading
            why = FailureText.ConnectionLost(_address, $"the gateway failed, please report this: {exception}");
        }

        Close(why);
        while (_answered.TryDequeue(out var answered))
        {
            answered.Exchange.EndAttemptElsewhere(answered.Reply);
        }

        _fillingReply?.Dispose();
        await _received.Writer.CompleteAsync();
        await _received.Reader.CompleteAsync();
    }

    // the rest of a tail goes straight to where it belongs
    private Memory<byte> NextSpace() => _tail.IsEmpty ? _received.Writer.GetMemory(LeastRoom) : _tail[_filled..];

    private void FillTail(int count)
    {
        _filled += count;
        if (_filled == _tail.Length)
        {
            EndTail();
        }
    }

    /// <summary>Takes as many messages as there are out of what was received.</summary>
    private void Deliver()
    {
        if (!_received.Reader.TryRead(out var result))
        {
            return;
        }

        var buffer = result.Buffer;
        while (!buffer.IsEmpty && (!_skipsHead || TrySkipHead(ref buffer)) && TrySkip(ref buffer) && TryTakeMessage(ref buffer))
        {
        }

        _received.Reader.AdvanceTo(buffer.Start, buffer.End);
    }

    private bool TrySkip(ref ReadOnlySequence<byte> buffer)
    {
        var skipped = Math.Min(_skip, buffer.Length);
        _skip -= skipped;
        buffer = buffer.Slice(skipped);
        return _skip == 0;
    }

    /// <summary>Drops a head that is too long, as far as it has arrived, up to its terminator.</summary>
    private bool TrySkipHead(ref ReadOnlySequence<byte> buffer)
    {
        var reader = new SequenceReader<byte>(buffer);
        _skipsHead = !reader.TryReadTo(out ReadOnlySequence<byte> _, Wire.Terminator, advancePastDelimiter: true);

        // the start of a terminator may have arrived
        buffer = _skipsHead ? buffer.Slice(Math.Max(0, buffer.Length - (Wire.Terminator.Length - 1))) : buffer.Slice(reader.Position);
        return !_skipsHead;
    }

    private bool TryTakeMessage(ref ReadOnlySequence<byte> buffer)
    {
        if (!_greeted && !_legacy)
        {
            UnexpectedPeer.Check(buffer, _address);
        }

        switch (MessageReader.TryReadHead(buffer, HeadLimit, out var head, out var next))
        {
            case MessageStatus.Incomplete: return false;
            case MessageStatus.TooLong:
                TakeTooLong(head);
                buffer = buffer.Slice(head.Start);
                return true;
        }

        var text = head.IsSingleSegment ? head.FirstSpan : Gather(head);
        if (_legacy)
        {
            buffer = buffer.Slice(next);
            TakeLegacy(text);
            return true;
        }

        var message = MessageHead.Parse(text);
        buffer = buffer.Slice(next);
        Take(message, text);
        return message.TailLength == 0 || TryTakeTail(ref buffer);
    }

    private void Take(in MessageHead message, ReadOnlySpan<byte> text)
    {
        if (message.Kind == MessageKind.Foreign)
        {
            throw Broken($"it sent something that is no message: {UnexpectedPeer.Quote(text)}.");
        }

        Epoch = message.Epoch;
        _skip = message.TailLength;
        if (message.Kind == MessageKind.Event)
        {
            Announce(message, text[message.BodyStart..]);
            return;
        }

        if (message.Id == 0)
        {
            throw Refused(Refusals.Read(text[message.BodyStart..]));
        }

        var body = text[message.BodyStart..];
        if (message.TailLength > 0 && message.TailLength <= _settings.Now.MaxReplyTail && _waiting.Find(message.Id) == WaitingTable.Found.Waiting)
        {
            // it stays in the table until its tail is whole, so that its deadline still counts
            (_fillingId, _fillingReply) = (message.Id, Reply.Answered(message.Frame, message.Epoch, body, (int)message.TailLength));
            (_tail, _filled, _skip) = (_fillingReply.TailSpace, 0, 0);
            return;
        }

        switch (_waiting.Take(message.Id, out var exchange))
        {
            case WaitingTable.Found.Unknown: throw Broken($"it answered request {message.Id}, which was not asked.");
            case WaitingTable.Found.Waiting: _answered.Enqueue((exchange!, ReplyTo(exchange!, message, body))); break;
        }
    }

    /// <summary>Only the request that a too long head answers fails; an event is dropped. Its tail, if it has one, is skipped, too.</summary>
    private void TakeTooLong(in ReadOnlySequence<byte> head)
    {
        if (!_greeted)
        {
            throw new BrokenStreamException(FailureText.NotOurs(_address, UnexpectedPeer.Quote(head.Slice(0, UnexpectedPeer.MaxQuote).ToArray())));
        }

        _skipsHead = true;
        var message = default(MessageHead);
        var found = WaitingTable.Found.Unknown;
        Exchange? exchange;
        if (_legacy)
        {
            found = _waiting.TakeOnly(out exchange);
        }
        else
        {
            message = MessageHead.Parse(head.Slice(0, HeadStart).ToArray());
            (_skip, Epoch) = (message.TailLength, message.Epoch);
            if (message.Kind == MessageKind.Event)
            {
                return;
            }

            found = _waiting.Take(message.Id, out exchange);
        }

        switch (found)
        {
            case WaitingTable.Found.Unknown: throw Broken($"it said {UnexpectedPeer.Quote(head.Slice(0, HeadStart).ToArray())}, which answers no request.");
            case WaitingTable.Found.Waiting: _answered.Enqueue((exchange!, Reply.Failed(FailureText.ReplyHeadTooLong(HeadLimit), message.Frame, message.Epoch))); break;
        }
    }

    private Reply ReplyTo(Exchange exchange, in MessageHead message, ReadOnlySpan<byte> body) =>
        message.Kind == MessageKind.Refusal ? Reply.Failed(Refusals.For(exchange, Refusals.Read(body)), message.Frame, message.Epoch)
        : message.TailLength > 0 ? Reply.Failed(FailureText.ReplyTooLarge(message.TailLength, _settings.Now), message.Frame, message.Epoch)
        : Reply.Answered(message.Frame, message.Epoch, body, 0);

    private bool TryTakeTail(ref ReadOnlySequence<byte> buffer)
    {
        if (_tail.IsEmpty)
        {
            return TrySkip(ref buffer);
        }

        var part = buffer.Slice(0, Math.Min(buffer.Length, _tail.Length));
        part.CopyTo(_tail.Span);
        buffer = buffer.Slice(part.Length);
        FillTail((int)part.Length);
        return _tail.IsEmpty;
    }

    private void EndTail()
    {
        var (reply, announcement) = (_fillingReply, _fillingEvent);
        (_fillingReply, _fillingEvent, _tail, _filled) = (null, null, default, 0);
        if (announcement is not null)
        {
            _events.Announced(announcement);
        }
        else if (_waiting.Take(_fillingId, out var exchange) == WaitingTable.Found.Waiting)
        {
            _answered.Enqueue((exchange!, reply!));
        }
        else
        {
            reply!.Dispose();
        }
    }

    /// <summary>Hands out what was answered. A caller goes on right here, which saves it a change of threads; one whose answer is long goes on
    /// elsewhere, so that none waits for what is done with it.</summary>
    private void EndAnswered()
    {
        // each is taken out before it ends: afterwards it may be somebody else's, also when what runs here throws
        while (_answered.TryDequeue(out var answered))
        {
            try
            {
                _events.RoomFreed(this);
            }
            finally
            {
                EndAnswered(answered.Exchange, answered.Reply);
            }
        }
    }

    private static void EndAnswered(Exchange exchange, Reply reply)
    {
        if (reply.Tail.Length >= Reply.LongFrom)
        {
            exchange.EndAttemptElsewhere(reply);
        }
        else
        {
            exchange.EndAttempt(reply);
        }
    }

    private ReadOnlySpan<byte> Gather(in ReadOnlySequence<byte> head)
    {
        var length = (int)head.Length;
        if (_scratch.Length < length)
        {
            _scratch = new byte[Math.Max(length, Math.Min(Wire.DefaultHeadLimit, length * 2))];
        }

        head.CopyTo(_scratch);
        return _scratch.AsSpan(0, length);
    }

    private BrokenStreamException Refused(FailureReport refusal) => refusal.Code == "too-many-connections"
        ? new BrokenStreamException(FailureText.TooManyConnections(_address, refusal.Detail))
        : Broken($"it refused the connection: {refusal.Detail}.");

    private BrokenStreamException Broken(string reason) => new(FailureText.ConnectionLost(_address, reason));
}
