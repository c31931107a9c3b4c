using System.Net.Sockets;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>Sends the requests of one connection. Requests written during a send leave together in the next one.</summary>
internal sealed class MessageSender(Socket socket, Session session, PendingRequests pending, Func<bool> hasUnread, Action<string> failed)
    : IDisposable
{
    private readonly Lock _gate = new();
    private readonly RequestEncoder _encoder = new(session);

    // on other systems the reply is received on another thread
    private readonly ReplySpinWait? _spinWait = OperatingSystem.IsLinux() ? new ReplySpinWait(hasUnread) : null;
    private SendBuffer _filling = new();
    private SendBuffer _sending = new();
    private bool _isSending;
    private bool _draining;
    private bool _shutDown;
    private bool _closed;

    /// <summary>
    /// Writes a request, adds it to the pending ones, and starts a send unless one is in progress. Both happen in this order and under one lock: only this
    /// thread knows the exchange before it is pending, and its bytes are not sent before. Afterwards it may complete at any time.
    /// </summary>
    public SendResult Send(Exchange exchange, Epoch? epoch, int headLimit, int pendingLimit, IExchangeHolder holder)
    {
        lock (_gate)
        {
            if (_closed || _shutDown || (_draining && !exchange.ExemptFromTimeout))
            {
                return SendResult.Closed;
            }

            var start = _filling.Length;
            if (!_encoder.TryWrite(_filling, exchange, epoch, headLimit))
            {
                return SendResult.HeadTooLong;
            }

            var span = exchange.Span;
            if (!pending.TryAdd(exchange, holder, pendingLimit, out var closed))
            {
                _filling.Truncate(start);
                return closed ? SendResult.Closed : SendResult.Full;
            }

            ClientTracing.Note(span, "sent");
            _encoder.EndHello(_filling);
            if (_isSending)
            {
                return SendResult.Accepted;
            }

            _isSending = true;
        }

        SendAll();
        _spinWait?.Spin(pending.Count);
        return SendResult.Accepted;
    }

    /// <summary>Accepts only heartbeats and cancellations from now on; accepted requests are still sent.</summary>
    public void Drain()
    {
        lock (_gate)
        {
            _draining = true;
        }
    }

    /// <summary>Accepts no more requests, and shuts down the sending side after the last accepted byte.</summary>
    public void ShutDown()
    {
        lock (_gate)
        {
            _shutDown = true;
            if (!_isSending && !_closed)
            {
                ShutDownSocket();
            }
        }
    }

    /// <summary>Accepts and sends nothing from now on.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _closed = true;
            if (!_isSending)
            {
                ReturnBuffers();
            }
        }
    }

    // the kernel accepts nearly every send at once; such a send completes here without an allocation
    private void SendAll()
    {
        try
        {
            while (TakeFilled())
            {
                var sending = socket.SendAsync(_sending.Written, SocketFlags.None);
                if (!sending.IsCompletedSuccessfully)
                {
                    _ = ContinueAsync(sending, 0);
                    return;
                }

                var sent = sending.Result;
                if (sent < _sending.Length)
                {
                    _ = ContinueAsync(socket.SendAsync(_sending.Written[sent..], SocketFlags.None), sent);
                    return;
                }

                _sending.Clear();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            Fail(exception);
        }
    }

    private async Task ContinueAsync(ValueTask<int> sending, int before)
    {
        try
        {
            for (var sent = before + await sending; sent < _sending.Length;)
            {
                sent += await socket.SendAsync(_sending.Written[sent..], SocketFlags.None);
            }

            _sending.Clear();
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            Fail(exception);
            return;
        }

        SendAll();
    }

    private void Fail(Exception exception)
    {
        lock (_gate)
        {
            _closed = true;
            _isSending = false;
            ReturnBuffers();
        }

        failed(exception.Message);
    }

    private bool TakeFilled()
    {
        lock (_gate)
        {
            if (_filling.Length == 0 || _closed)
            {
                _isSending = false;
                if (_closed)
                {
                    ReturnBuffers();
                }
                else if (_shutDown)
                {
                    ShutDownSocket();
                }

                return false;
            }

            (_filling, _sending) = (_sending, _filling);
            return true;
        }
    }

    private void ShutDownSocket()
    {
        try
        {
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // the connection is already closed
        }
    }

    private void ReturnBuffers()
    {
        _filling.Dispose();
        _sending.Dispose();
    }
}

/// <summary>The outcome of <see cref="MessageSender.Send"/>.</summary>
internal enum SendResult
{
    /// <summary>The request is pending and will be sent.</summary>
    Accepted,

    /// <summary>The request's head is longer than the script accepts.</summary>
    HeadTooLong,

    /// <summary>As many requests as allowed are outstanding.</summary>
    Full,

    /// <summary>The connection is closed or closing.</summary>
    Closed,
}
