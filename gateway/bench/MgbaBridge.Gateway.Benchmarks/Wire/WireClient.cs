using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One connection with blocking calls: no other thread and no polling between it and the wire.</summary>
internal sealed class WireClient : IDisposable
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    private readonly LoopbackSocket _socket;
    private readonly WireRequests _requests;
    private readonly Tally _tally;
    private readonly byte[] _request = new byte[256];
    private readonly byte[] _received;
    private long _next;

    private WireClient(LoopbackSocket socket, WireRequests requests, Tally tally, int buffer)
    {
        (_socket, _requests, _tally) = (socket, requests, tally);
        _received = new byte[buffer];
    }

    /// <summary>The last answer: head and tail.</summary>
    public ReadOnlyMemory<byte> Received { get; private set; }

    /// <summary>When the first bytes of the last answer arrived.</summary>
    public long FirstBytesAt { get; private set; }

    /// <summary>Connects; on failure counts the reason and returns null.</summary>
    public static WireClient? Open(int port, WireRequests requests, Tally tally, int buffer = 4096)
    {
        var socket = LoopbackSocket.Open(port, Timeout, out var error);
        if (error == Errno.None)
        {
            tally.Connected++;
            return new WireClient(socket, requests, tally, buffer);
        }
        tally.Count(error);
        socket.Dispose();
        return null;
    }

    /// <summary>Sends the next small request and waits for the answer. False when the connection failed.</summary>
    public bool Send(Samples samples)
    {
        var sequence = _next++;
        var length = _requests.Write(_request, sequence + 1, sequence);
        var began = Stopwatch.GetTimestamp();
        if (!Exchange(_request.AsSpan(0, length), out var reply))
        {
            return false;
        }
        samples.Add(Stopwatch.GetTimestamp() - began);
        if (reply.IsOk && (reply.Value != _requests.ValueOf(sequence) || (_requests.Dialect == Dialect.Version2 && reply.Id != sequence + 1)))
        {
            _tally.Wrong++;
        }
        return true;
    }

    /// <summary>Sends a request and waits for one complete message.</summary>
    public bool Exchange(ReadOnlySpan<byte> request, out Reply reply)
    {
        reply = default;
        var filled = 0;
        if (_socket.Send(request, out var error) < request.Length)
        {
            return Failed(error);
        }
        while (!Reply.TryRead(_received.AsSpan(0, filled), _requests.Dialect, out reply) || filled < reply.HeadLength + reply.TailLength)
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
