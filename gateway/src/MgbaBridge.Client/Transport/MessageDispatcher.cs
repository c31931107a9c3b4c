using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>Matches received replies with the pending requests of one connection and raises its unsolicited events.</summary>
internal sealed class MessageDispatcher(Connection connection, PendingRequests pending, TransportSettings settings)
{
    /// <summary>The longest start of a head that <see cref="MessageHead.Parse"/> reads.</summary>
    public const int HeadStart = 128;

    private readonly Queue<(Exchange Exchange, Reply Reply)> _answered = new();

    private const string PaceEvent = "pace";

    // the message whose tail has not arrived completely
    private long _partialId;
    private Reply? _partialReply;
    private UnsolicitedEvent? _partialEvent;

    private bool _hasRaised; // an event, since WantsAcknowledgement was called

    /// <summary>The epoch of the last message.</summary>
    public Epoch Epoch { get; private set; }

    /// <summary>Dispatches a message, and returns the destination of its tail; empty for no tail or one to be skipped. When a destination is full,
    /// call <see cref="CompleteTail"/>.</summary>
    public Memory<byte> Dispatch(in MessageHead message, ReadOnlySpan<byte> text)
    {
        if (message.Kind == MessageKind.Foreign)
        {
            throw Broken($"it sent {UnexpectedPeer.Quote(text)}, which is not a message.");
        }

        Epoch = message.Epoch;
        var body = text[message.BodyStart..];
        if (message.Kind == MessageKind.Event)
        {
            return DispatchEvent(message, body);
        }

        if (message.Id == 0)
        {
            throw Refused(ErrorReplies.Read(body));
        }

        if (message.TailLength > 0 && message.TailLength <= settings.Now.MaxReplyTail && pending.Find(message.Id) == PendingState.Waiting)
        {
            // the request stays pending until the tail is complete, so that its deadline still applies
            (_partialId, _partialReply) = (message.Id, Reply.Answered(message.Frame, message.Epoch, body, (int)message.TailLength));
            return _partialReply.TailSpace;
        }

        switch (pending.Take(message.Id, out var exchange))
        {
            case PendingState.Unknown: throw Broken($"it answered request {message.Id}, which was not sent.");
            case PendingState.Waiting: _answered.Enqueue((exchange!, ReplyTo(exchange!, message, body))); break;
        }

        return default;
    }

    /// <summary>Fails the request that a head over the limit answers, or drops the event, and returns the length of its tail.</summary>
    public long DispatchTooLong(ReadOnlySpan<byte> start)
    {
        var message = MessageHead.Parse(start);
        Epoch = message.Epoch;
        if (message.Kind == MessageKind.Event)
        {
            return message.TailLength;
        }

        switch (pending.Take(message.Id, out var exchange))
        {
            case PendingState.Unknown: throw Broken($"it sent {UnexpectedPeer.Quote(start)}, which answers no request.");
            case PendingState.Waiting: _answered.Enqueue((exchange!, Reply.Failed(FailureText.ReplyHeadTooLong(Limits.Head), message.Frame, message.Epoch))); break;
        }

        return message.TailLength;
    }

    /// <summary>The tail of the last message is complete.</summary>
    public void CompleteTail()
    {
        var (reply, message) = (_partialReply, _partialEvent);
        (_partialReply, _partialEvent) = (null, null);
        if (message is not null)
        {
            Raise(message);
        }
        else if (pending.Take(_partialId, out var exchange) == PendingState.Waiting)
        {
            _answered.Enqueue((exchange!, reply!));
        }
        else
        {
            reply!.Dispose();
        }
    }

    /// <summary>Whether the script may hold something back until it knows that what came has arrived: a reply, or the event of the next frame.</summary>
    public bool WantsAcknowledgement()
    {
        var wants = _hasRaised || pending.Count > 0;
        _hasRaised = false;
        return wants;
    }

    /// <summary>Completes the answered requests. A caller continues on this thread, which saves a thread switch; one with a long reply continues on
    /// another, so that processing it does not delay the others.</summary>
    public void CompleteAnswered()
    {
        // each is dequeued before it completes: afterwards it may be reused, even when a continuation throws
        while (_answered.TryDequeue(out var answered))
        {
            try
            {
                connection.Events.CapacityFreed(connection);
            }
            finally
            {
                Complete(answered.Exchange, answered.Reply);
            }
        }
    }

    /// <summary>Releases what is left after the connection has closed.</summary>
    public void Abort()
    {
        while (_answered.TryDequeue(out var answered))
        {
            answered.Exchange.EndAttemptElsewhere(answered.Reply);
        }

        _partialReply?.Dispose();
    }

    private static void Complete(Exchange exchange, Reply reply)
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

    private byte[] DispatchEvent(in MessageHead message, ReadOnlySpan<byte> body)
    {
        var space = body.IndexOf((byte)' ');
        var topic = Encoding.UTF8.GetString(space < 0 ? body : body[..space]);
        var values = space < 0 ? [] : body[(space + 1)..].ToArray();
        var tail = message.TailLength is > 0 and var length && length <= settings.Now.MaxReplyTail ? new byte[length] : [];
        var received = new UnsolicitedEvent(message.Id, message.Frame, message.Epoch, topic, values, tail);
        if (tail.Length == 0)
        {
            Raise(received);
        }
        else
        {
            _partialEvent = received;
        }

        return tail;
    }

    private void Raise(UnsolicitedEvent received)
    {
        _hasRaised = true;
        if (received.Topic == PaceEvent)
        {
            connection.FollowPace(new ValueReader(received.Values.Span));
            return;
        }

        connection.Events.EventReceived(received);
    }

    private Reply ReplyTo(Exchange exchange, in MessageHead message, ReadOnlySpan<byte> body) =>
        message.Kind == MessageKind.Failure ? Reply.Failed(ErrorReplies.For(exchange, ErrorReplies.Read(body)), message.Frame, message.Epoch)
        : message.TailLength > 0 ? Reply.Failed(FailureText.ReplyTooLarge(message.TailLength, settings.Now), message.Frame, message.Epoch)
        : Reply.Answered(message.Frame, message.Epoch, body, 0);

    private BrokenStreamException Refused(CommandFailure failure) => failure.Code == ErrorCode.TooManyConnections
        ? new BrokenStreamException(FailureText.TooManyConnections(connection.Address, failure.Detail))
        : Broken($"it refused the connection: {failure.Detail}.");

    private BrokenStreamException Broken(string reason) => new(FailureText.ConnectionLost(connection.Address, reason));
}
