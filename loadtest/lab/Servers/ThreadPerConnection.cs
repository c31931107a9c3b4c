using System.Net.Sockets;

namespace MgbaBridge.Lab.Servers;

/// <summary>
/// A thread for each connection, which blocks in receive: the simplest code, and as many stacks and context switches as connections. Shared: all threads
/// take one lock around what they do with a message, as when they share a game.
/// </summary>
internal sealed class ThreadPerConnection : EchoServer
{
    private readonly Lock? _lock;
    private readonly Socket _listener = Listen();

    public ThreadPerConnection(bool isShared) => (_lock, Port) = (isShared ? new Lock() : null, PortOf(_listener));

    public override void Start() => RunThread(() =>
    {
        while (true)
        {
            var socket = _listener.Accept();
            socket.NoDelay = true;
            Accepted[0]++;
            RunThread(() => Serve(socket));
        }
    });

    private void Serve(Socket socket)
    {
        using var connection = socket;
        var buffer = new byte[BufferSize];
        for (int count; (count = socket.Receive(buffer, 0, buffer.Length, SocketFlags.None, out _)) > 0;)
        {
            _lock?.Enter();
            var sent = socket.Send(buffer, 0, count, SocketFlags.None, out var error);
            _lock?.Exit();
            if (sent != count || error != SocketError.Success)
            {
                return;
            }
        }
    }
}
