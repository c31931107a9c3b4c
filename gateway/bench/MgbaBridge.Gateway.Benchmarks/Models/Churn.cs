using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>Connect, ask, close, over and over, on a thread of its own.</summary>
internal sealed class Churn(int port)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    public long Done { get; private set; }
    public long Failed { get; private set; }

    public void Run(CancellationToken stop)
    {
        var message = new byte[EchoFleet.MessageBytes];
        while (!stop.IsCancellationRequested)
        {
            using var socket = WireSocket.Open(port, Patience, out var error);
            var isAnswered = error == Errno.None && socket.Send(message, out _) == message.Length && IsAnswered(socket);
            Done += isAnswered ? 1 : 0;
            Failed += isAnswered ? 0 : 1;
        }
    }

    private static bool IsAnswered(WireSocket socket)
    {
        Span<byte> buffer = stackalloc byte[EchoFleet.MessageBytes];
        for (int filled = 0, count; filled < buffer.Length; filled += count)
        {
            count = socket.Receive(buffer[filled..], out _);
            if (count == 0)
            {
                return false;
            }
        }
        return true;
    }
}
