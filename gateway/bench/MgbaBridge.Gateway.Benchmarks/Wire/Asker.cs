using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One connection that waits for each answer in the kernel: no thread and no poll between it and the wire.</summary>
internal sealed class Asker : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    private readonly WireSocket _socket;
    private readonly Questions _questions;
    private readonly Tally _tally;
    private readonly byte[] _request = new byte[256];
    private readonly byte[] _received;
    private long _next;

    private Asker(WireSocket socket, Questions questions, Tally tally, int buffer)
    {
        (_socket, _questions, _tally) = (socket, questions, tally);
        _received = new byte[buffer];
    }

    /// <summary>The last answer as it came, head and tail.</summary>
    public ReadOnlyMemory<byte> Received { get; private set; }

    /// <summary>When the first bytes of the last answer were there.</summary>
    public long FirstBytesAt { get; private set; }

    /// <summary>A connection, or nothing and the reason counted.</summary>
    public static Asker? Open(int port, Questions questions, Tally tally, int buffer = 4096)
    {
        var socket = WireSocket.Open(port, Patience, out var error);
        if (error == Errno.None)
        {
            tally.Connected++;
            return new Asker(socket, questions, tally, buffer);
        }
        tally.Count(error);
        socket.Dispose();
        return null;
    }

    /// <summary>Asks the next small question. False when the connection is of no more use.</summary>
    public bool Ask(Samples samples)
    {
        var sequence = _next++;
        var length = _questions.Write(_request, sequence + 1, sequence);
        var began = Stopwatch.GetTimestamp();
        if (!Exchange(_request.AsSpan(0, length), out var reply))
        {
            return false;
        }
        samples.Add(Stopwatch.GetTimestamp() - began);
        if (reply.IsOk && (reply.Value != _questions.ValueOf(sequence) || (_questions.Dialect == Dialect.Version2 && reply.Id != sequence + 1)))
        {
            _tally.Wrong++;
        }
        return true;
    }

    /// <summary>Sends this and waits for one whole message.</summary>
    public bool Exchange(ReadOnlySpan<byte> request, out Reply reply)
    {
        reply = default;
        var filled = 0;
        if (_socket.Send(request, out var error) < request.Length)
        {
            return Failed(error);
        }
        while (!Reply.TryRead(_received.AsSpan(0, filled), _questions.Dialect, out reply) || filled < reply.HeadLength + reply.TailLength)
        {
            var count = _socket.Receive(_received.AsSpan(filled), out error);
            if (count == 0)
            {
                return Failed(error);
            }
            FirstBytesAt = filled == 0 ? Stopwatch.GetTimestamp() : FirstBytesAt;
            filled += count;
        }
        Received = _received.AsMemory(0, filled);
        _tally.Answered++;
        _tally.Errors += reply.IsOk ? 0 : 1;
        return true;
    }

    public void Dispose() => _socket.Dispose();

    private bool Failed(Errno error)
    {
        _tally.Count(error);
        return false;
    }
}
