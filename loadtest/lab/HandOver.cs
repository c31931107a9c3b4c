using System.Net;
using System.Net.Sockets;
using MgbaBridge.Lab.Load;

namespace MgbaBridge.Lab;

/// <summary>Two owners of a port, of which one takes over from the other while clients connect.</summary>
internal static class HandOver
{
    private const int Times = 20, Clients = 4, SocketLevel = 1, ReusePort = 15, Backlog = 512;
    private static readonly byte[] On = [1, 0, 0, 0];

    public static IReadOnlyList<Way> Ways { get; } =
    [
        new("one listener that both hold", LosesNone: true, IsShared: true),
        new("several listeners on one port", LosesNone: false, IsShared: false),
    ];

    /// <summary>A way to hand over.</summary>
    /// <param name="Name">For the report.</param>
    /// <param name="LosesNone">Whether a lost connection is a failure.</param>
    /// <param name="IsShared">Whether the successor accepts on the same listener; otherwise it opens one of its own on the port.</param>
    internal sealed record Way(string Name, bool LosesNone, bool IsShared)
    {
        /// <summary>Connections that were served, and that were lost.</summary>
        public (long Done, long Lost) Run()
        {
            var listener = Listen(0);
            var port = ((IPEndPoint)listener.LocalEndPoint!).Port;
            var isOver = false;
            var clients = Enumerable.Range(0, Clients).Select(_ => new ComingAndGoing(port)).ToList();
            var threads = clients.ConvertAll(client => new Thread(() => client.Run(() => !Volatile.Read(ref isOver))));
            var owner = new Owner(listener);
            threads.ForEach(thread => thread.Start());
            for (var i = 0; i < Times; i++)
            {
                var served = clients.Sum(client => client.Done);
                SpinWait.SpinUntil(() => clients.Sum(client => client.Done) > served + 50, TimeSpan.FromSeconds(3));
                var successor = IsShared ? listener : Listen(port);
                var next = new Owner(successor);
                owner.Stop();
                if (!IsShared)
                {
                    listener.Dispose();
                    listener = successor;
                }

                owner = next;
            }

            Volatile.Write(ref isOver, true);
            threads.ForEach(thread => thread.Join());
            owner.Stop();
            listener.Dispose();
            return (clients.Sum(client => client.Done), clients.Sum(client => client.Failed));
        }
    }

    private static Socket Listen(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.SetRawSocketOption(SocketLevel, ReusePort, On);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
        socket.Listen(Backlog);
        return socket;
    }

    /// <summary>Accepts and echoes until it is stopped; what it has accepted it serves to the end.</summary>
    private sealed class Owner
    {
        private readonly Thread _thread;
        private volatile bool _isStopped;

        public Owner(Socket listener)
        {
            _thread = new Thread(() => Serve(listener));
            _thread.Start();
        }

        public void Stop()
        {
            _isStopped = true;
            _thread.Join();
        }

        private void Serve(Socket listener)
        {
            var buffer = new byte[EchoClients.MessageBytes];
            while (!_isStopped)
            {
                if (!listener.Poll(1000, SelectMode.SelectRead))
                {
                    continue;
                }

                listener.Blocking = false;
                try
                {
                    using var socket = listener.Accept();
                    socket.Blocking = true;
                    var count = socket.Receive(buffer, SocketFlags.None, out _);
                    socket.Send(buffer, 0, count, SocketFlags.None, out _);
                }
                catch (SocketException exception) when (exception.SocketErrorCode == SocketError.WouldBlock)
                {
                    // the other owner took it
                }
            }
        }
    }
}
