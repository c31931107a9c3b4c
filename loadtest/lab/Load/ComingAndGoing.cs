namespace MgbaBridge.Lab.Load;

/// <summary>Connects, exchanges one message and closes, again and again.</summary>
internal sealed class ComingAndGoing(int port)
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(3);

    public long Done { get; private set; }

    /// <summary>Connections that were refused, reset or not answered in time.</summary>
    public long Failed { get; private set; }

    public void Run(Func<bool> goesOn)
    {
        Span<byte> message = stackalloc byte[EchoClients.MessageBytes];
        Span<byte> echo = stackalloc byte[EchoClients.MessageBytes];
        while (goesOn())
        {
            message.Fill((byte)Done);
            echo.Clear();
            using var socket = LoopbackSocket.Open(port, Timeout, out var error);
            var isDone = error == Errno.None && socket.Send(message, out _) == message.Length && Receive(socket, echo) && echo.SequenceEqual(message);
            (Done, Failed) = isDone ? (Done + 1, Failed) : (Done, Failed + 1);
        }
    }

    private static bool Receive(LoopbackSocket socket, Span<byte> echo)
    {
        for (int filled = 0, count; filled < echo.Length; filled += count)
        {
            count = socket.Receive(echo[filled..], out _);
            if (count == 0)
            {
                return false;
            }
        }

        return true;
    }
}
