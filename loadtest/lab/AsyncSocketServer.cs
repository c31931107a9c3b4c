using System.Net.Sockets;

namespace MgbaBridge.Lab;

/// <summary>async: asynchronous Socket calls, so .NET's epoll thread with continuations on the thread pool.</summary>
internal sealed class AsyncSocketServer : IEchoServer
{
    private readonly Socket _listener = Listeners.Open();
    private readonly long[] _accepted = new long[1];

    public int Port => Listeners.PortOf(_listener);
    public IReadOnlyList<long> Accepted => _accepted;
    public long Echoed => 0;

    public void Start() => _ = AcceptAsync();

    private async Task AcceptAsync()
    {
        while (true)
        {
            var socket = await _listener.AcceptAsync();
            socket.NoDelay = true;
            _accepted[0]++;
            _ = ServeAsync(socket);
        }
    }

    private static async Task ServeAsync(Socket socket)
    {
        using (socket)
        {
            try
            {
                var buffer = new byte[Listeners.BufferSize];
                for (int count; (count = await socket.ReceiveAsync(buffer.AsMemory())) > 0;)
                {
                    _ = await socket.SendAsync(buffer.AsMemory(0, count));
                }
            }
            catch (SocketException)
            {
                // The client reset the connection.
            }
        }
    }
}
