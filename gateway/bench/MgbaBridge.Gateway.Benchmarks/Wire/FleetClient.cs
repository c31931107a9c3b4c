using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One connection of a <see cref="Fleet"/> with its outstanding requests.</summary>
internal sealed class FleetClient(int index, LoopbackSocket socket, int depth)
{
    /// <summary>Ids are unique over all clients (sequence * Stride + index), so a reply on the wrong connection is detected.</summary>
    public const int Stride = 1024;

    private readonly byte[] _received = new byte[65536];
    private readonly byte[] _unsent = new byte[128 * depth];
    private readonly long[] _sentAt = new long[depth];
    private int _filled, _unsentLength;
    private long _next = 1, _oldest = 1;

    public LoopbackSocket Socket => socket;
    public bool IsBroken { get; private set; }
    public long Answered { get; set; }
    public int Outstanding => (int)(_next - _oldest);

    /// <summary>Sends until <paramref name="wanted"/> requests are outstanding. Latency counts from <paramref name="since"/> if given.</summary>
    public void Send(WireRequests requests, int wanted, Tally tally, long? since = null)
    {
        var now = since ?? Stopwatch.GetTimestamp();
        while (Outstanding < wanted)
        {
            _unsentLength += requests.Write(_unsent.AsSpan(_unsentLength), (_next * Stride) + index, _next);
            _sentAt[_next % depth] = now;
            _next++;
        }
        Flush(tally);
    }

    /// <summary>Receives the available bytes and counts each reply. False when the connection is broken.</summary>
    public bool Receive(WireRequests requests, Samples samples, Tally tally)
    {
        var count = socket.Receive(_received.AsSpan(_filled), out var error);
        if (count == 0)
        {
            return error == Errno.Again || Break(tally, error);
        }
        var now = Stopwatch.GetTimestamp();
        _filled += count;
        var used = 0;
        while (Reply.TryRead(_received.AsSpan(used, _filled - used), requests.Dialect, out var reply))
        {
            used += reply.HeadLength;
            Account(reply, requests, now, samples, tally);
        }
        _received.AsSpan(used, _filled - used).CopyTo(_received);
        _filled -= used;
        return true;
    }

    /// <summary>Counts outstanding requests as timed out and closes: later replies could not be attributed.</summary>
    public void GiveUp(Tally tally)
    {
        tally.TimedOut += Outstanding;
        Close();
    }

    public void Close()
    {
        IsBroken = true;
        socket.Dispose();
    }

    private void Account(Reply reply, WireRequests requests, long now, Samples samples, Tally tally)
    {
        if (!reply.IsOk)
        {
            tally.Errors++;
        }
        else if (Outstanding == 0 || reply.Value != requests.ValueOf(_oldest) || (requests.Dialect == Dialect.Version2 && reply.Id != (_oldest * Stride) + index))
        {
            tally.Wrong++;
        }
        if (Outstanding > 0)
        {
            samples.Add(now - _sentAt[_oldest % depth]);
            _oldest++;
            Answered++;
            tally.Answered++;
        }
    }

    private void Flush(Tally tally)
    {
        if (_unsentLength == 0)
        {
            return;
        }
        var sent = socket.Send(_unsent.AsSpan(0, _unsentLength), out var error);
        if (error is not Errno.None and not Errno.Again)
        {
            Break(tally, error);
            return;
        }
        // The rest goes out with the next send. Replies are outstanding, so there is one.
        _unsent.AsSpan(sent, _unsentLength - sent).CopyTo(_unsent);
        _unsentLength -= sent;
    }

    private bool Break(Tally tally, Errno error)
    {
        tally.Count(error);
        Close();
        return false;
    }
}
