using System.Net.Sockets;

namespace MgbaBridge.Lab.Servers;

/// <summary>Asynchronous Socket calls: .NET waits by epoll in a thread of its own and continues in the thread pool, which is more work for each message.</summary>
internal sealed class AsyncSockets : EchoServer
{
    private readonly Socket _listener = Listen();

    public AsyncSockets() => Port = PortOf(_listener);

    public override void Start() => _ = AcceptAsync();

    private async Task AcceptAsync()
    {
        while (true)
        {
            var socket = await _listener.AcceptAsync();
            socket.NoDelay = true;
            Accepted[0]++;
            _ = ServeAsync(socket);
        }
    }

    private static async Task ServeAsync(Socket socket)
    {
        using var connection = socket;
        var buffer = new byte[BufferSize];
        try
        {
            for (int count; (count = await socket.ReceiveAsync(buffer.AsMemory())) > 0;)
            {
                await socket.SendAsync(buffer.AsMemory(0, count));
            }
        }
        catch (SocketException)
        {
            // the client reset the connection
        }
    }
}
