using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>Reads one connection's socket and splits the byte stream into messages. The dispatcher decides what a message means.</summary>
internal sealed class MessageReceiver(
    Socket socket, string address, MessageDispatcher dispatcher, LivenessMonitor liveness, MemoryPool<byte> memory)
{
    private const int MinBufferSpace = 1_024;

    private readonly Pipe _received = new(new PipeOptions(
        memory, PipeScheduler.Inline, PipeScheduler.Inline, pauseWriterThreshold: 0, resumeWriterThreshold: 0, useSynchronizationContext: false));

    private byte[] _scratch = [];
    private bool _peerVerified;

    // the state of a message that has not arrived completely
    private Memory<byte> _tail;
    private int _filled;
    private long _skip;
    private bool _skipsHead;

    /// <summary>Stops the check for unexpected peers: the handshake has succeeded.</summary>
    public void CompleteHandshake() => _peerVerified = true;

    /// <summary>Receives until the connection ends, and returns why it ended.</summary>
    public async Task<CommandFailure> RunAsync()
    {
        try
        {
            // one loop in one method: an asynchronous call per receive would be an allocation per receive
            while (true)
            {
                var count = await socket.ReceiveAsync(NextSpace(), SocketFlags.None);
                if (count == 0)
                {
                    return FailureText.ConnectionLost(address, "the script closed it.");
                }

                liveness.RecordActivity();
                if (!_tail.IsEmpty)
                {
                    FillTail(count);
                }
                else
                {
                    _received.Writer.Advance(count);
                    await _received.Writer.FlushAsync();
                    ReadMessages();
                }

                if (dispatcher.WantsAcknowledgement())
                {
                    PromptAcknowledgement.Send(socket);
                }

                dispatcher.CompleteAnswered();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            return FailureText.ConnectionLost(address, exception.Message);
        }
        catch (BrokenStreamException exception)
        {
            return exception.Failure;
        }
        catch (Exception exception)
        {
            // a defect of the gateway must close this connection instead of leaving it open without a reader
            return FailureText.ConnectionLost(address, $"the gateway failed, please report this: {exception}");
        }
        finally
        {
            await _received.Writer.CompleteAsync();
            await _received.Reader.CompleteAsync();
        }
    }

    /// <summary>Whether bytes have arrived that were not read yet.</summary>
    public bool HasUnreadBytes()
    {
        try
        {
            return socket.Available > 0;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            return true; // the receiver finds out that the connection is closed
        }
    }

    // the rest of a tail is received directly into its destination
    private Memory<byte> NextSpace() => _tail.IsEmpty ? _received.Writer.GetMemory(MinBufferSpace) : _tail[_filled..];

    /// <summary>Reads all complete messages from the received bytes.</summary>
    private void ReadMessages()
    {
        if (!_received.Reader.TryRead(out var result))
        {
            return;
        }

        var buffer = result.Buffer;
        while (!buffer.IsEmpty && (!_skipsHead || TrySkipHead(ref buffer)) && TrySkip(ref buffer) && TryReadMessage(ref buffer))
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

    /// <summary>Drops the received part of a head that is too long, up to its terminator.</summary>
    private bool TrySkipHead(ref ReadOnlySequence<byte> buffer)
    {
        var reader = new SequenceReader<byte>(buffer);
        _skipsHead = !reader.TryReadTo(out ReadOnlySequence<byte> _, Wire.Terminator, advancePastDelimiter: true);

        // the buffer may end in the first bytes of a terminator
        buffer = _skipsHead ? buffer.Slice(Math.Max(0, buffer.Length - (Wire.Terminator.Length - 1))) : buffer.Slice(reader.Position);
        return !_skipsHead;
    }

    private bool TryReadMessage(ref ReadOnlySequence<byte> buffer)
    {
        if (!_peerVerified)
        {
            UnexpectedPeer.Check(buffer, address);
        }

        switch (MessageReader.TryReadHead(buffer, Limits.Head, out var head, out var next))
        {
            case MessageStatus.Incomplete:
                return false;
            case MessageStatus.TooLong:
                RejectHead(head);
                buffer = buffer.Slice(head.Start);
                return true;
        }

        var text = head.IsSingleSegment ? head.FirstSpan : Gather(head);
        var message = MessageHead.Parse(text);
        buffer = buffer.Slice(next);
        _tail = dispatcher.Dispatch(message, text);
        (_filled, _skip) = (0, _tail.IsEmpty ? message.TailLength : 0);
        return message.TailLength == 0 || TryReadTail(ref buffer);
    }

    /// <summary>Fails only the request that the head answers, or drops the event; the head's rest and its tail are skipped.</summary>
    private void RejectHead(in ReadOnlySequence<byte> head)
    {
        if (!_peerVerified)
        {
            var quote = UnexpectedPeer.Quote(head.Slice(0, UnexpectedPeer.MaxQuote).ToArray());
            throw new BrokenStreamException(FailureText.NotOurs(address, quote));
        }

        _skipsHead = true;
        var start = head.Slice(0, MessageDispatcher.HeadStart).ToArray();
        _skip = dispatcher.DispatchTooLong(start);
    }

    private bool TryReadTail(ref ReadOnlySequence<byte> buffer)
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

    private void FillTail(int count)
    {
        _filled += count;
        if (_filled == _tail.Length)
        {
            (_tail, _filled) = (default, 0);
            dispatcher.CompleteTail();
        }
    }

    private ReadOnlySpan<byte> Gather(in ReadOnlySequence<byte> head)
    {
        var length = (int)head.Length;
        if (_scratch.Length < length)
        {
            _scratch = new byte[Math.Max(length, Math.Min(Limits.Head, length * 2))];
        }

        head.CopyTo(_scratch);
        return _scratch.AsSpan(0, length);
    }
}
