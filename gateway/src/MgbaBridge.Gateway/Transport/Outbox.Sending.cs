using System.Net.Sockets;

namespace MgbaBridge.Gateway.Transport;

/// <content>From the buffer to the socket.</content>
internal sealed partial class Outbox
{
    // a send that the kernel takes at once, which is nearly all of them, ends right here and allocates nothing
    private void SendAll()
    {
        try
        {
            while (TakeFilled())
            {
                var sending = socket.SendAsync(_leaving.Written, SocketFlags.None);
                if (!sending.IsCompletedSuccessfully)
                {
                    _ = GoOnAsync(sending, 0);
                    return;
                }

                var sent = sending.Result;
                if (sent < _leaving.Length)
                {
                    _ = GoOnAsync(socket.SendAsync(_leaving.Written[sent..], SocketFlags.None), sent);
                    return;
                }

                _leaving.Clear();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            Break(exception);
        }
    }

    private async Task GoOnAsync(ValueTask<int> sending, int before)
    {
        try
        {
            for (var sent = before + await sending; sent < _leaving.Length;)
            {
                sent += await socket.SendAsync(_leaving.Written[sent..], SocketFlags.None);
            }

            _leaving.Clear();
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            Break(exception);
            return;
        }

        SendAll();
    }

    private void Break(Exception exception)
    {
        lock (_gate)
        {
            _closed = true;
            _state = State.Idle;
            ReturnBuffers();
        }

        broken(exception.Message);
    }

    private bool TakeFilled()
    {
        lock (_gate)
        {
            if (_filling.Length == 0 || _closed)
            {
                _state = State.Idle;
                if (_closed)
                {
                    ReturnBuffers();
                }
                else if (_ending)
                {
                    TellEnd();
                }

                return false;
            }

            (_filling, _leaving) = (_leaving, _filling);
            return true;
        }
    }

    private void TellEnd()
    {
        try
        {
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // it is over already
        }
    }

    private void ReturnBuffers()
    {
        _filling.Dispose();
        _leaving.Dispose();
    }
}
