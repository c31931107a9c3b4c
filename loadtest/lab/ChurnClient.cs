
namespace MgbaBridge.Lab;

/// <summary>Connects, exchanges one message and closes, repeatedly.</summary>
internal sealed class ChurnClient(int port)
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(3);

    public long Done { get; private set; }
    public long Failed { get; private set; }

    public void Run(CancellationToken stop)
    {
        var message = new byte[EchoClients.MessageBytes];
        while (!stop.IsCancellationRequested)
        {
            using var socket = LoopbackSocket.Open(port, Timeout, out var error);
            var isAnswered = error == Errno.None && socket.Send(message, out _) == message.Length && IsAnswered(socket);
            Done += isAnswered ? 1 : 0;
            Failed += isAnswered ? 0 : 1;
        }
    }

    private static bool IsAnswered(LoopbackSocket socket)
    {
        Span<byte> buffer = stackalloc byte[EchoClients.MessageBytes];
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
