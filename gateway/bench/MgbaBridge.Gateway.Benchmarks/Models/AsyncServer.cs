using System.Net.Sockets;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>async Socket: .NET's own epoll thread, continuations on the thread pool, the socket's own pooled awaitables.</summary>
internal sealed class AsyncServer : IModelServer
{
    private readonly Socket _listener = Listening.Open();
    private readonly long[] _accepted = new long[1];

    public int Port => Listening.PortOf(_listener);
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
                var buffer = new byte[Listening.BufferSize];
                for (int count; (count = await socket.ReceiveAsync(buffer.AsMemory())) > 0;)
                {
                    _ = await socket.SendAsync(buffer.AsMemory(0, count));
                }
            }
            catch (SocketException)
            {
                // broken off
            }
        }
    }
}
