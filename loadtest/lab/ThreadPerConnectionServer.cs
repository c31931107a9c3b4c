using System.Net.Sockets;

namespace MgbaBridge.Lab;

/// <summary>threads: a thread per connection that blocks in receive.</summary>
internal sealed class ThreadPerConnectionServer : IEchoServer
{
    private readonly Socket _listener = Listeners.Open();
    private readonly long[] _accepted = new long[1];

    public int Port => Listeners.PortOf(_listener);
    public IReadOnlyList<long> Accepted => _accepted;
    public long Echoed => 0;

    public void Start() => Listeners.Run("accept", Accept);

    private void Accept()
    {
        while (true)
        {
            var socket = _listener.Accept();
            socket.NoDelay = true;
            _accepted[0]++;
            Listeners.Run("connection", () => Serve(socket));
        }
    }

    private static void Serve(Socket socket)
    {
        using (socket)
        {
            var buffer = new byte[Listeners.BufferSize];
            while (Listeners.EchoOnce(socket, buffer))
            {
                // until the peer closes
            }
        }
    }
}
