using System.Net.Sockets;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>A thread for each connection, which waits in its receive.</summary>
internal sealed class ThreadsServer : IModelServer
{
    private readonly Socket _listener = Listening.Open();
    private readonly long[] _accepted = new long[1];

    public int Port => Listening.PortOf(_listener);
    public IReadOnlyList<long> Accepted => _accepted;
    public long Echoed => 0;

    public void Start() => Listening.Run("accept", Accept);

    private void Accept()
    {
        while (true)
        {
            var socket = _listener.Accept();
            socket.NoDelay = true;
            _accepted[0]++;
            Listening.Run("connection", () => Serve(socket));
        }
    }

    private static void Serve(Socket socket)
    {
        using (socket)
        {
            var buffer = new byte[Listening.BufferSize];
            while (Listening.EchoOnce(socket, buffer))
            {
                // until it is closed
            }
        }
    }
}
