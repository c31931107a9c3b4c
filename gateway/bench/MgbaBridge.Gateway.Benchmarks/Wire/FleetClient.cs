using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One connection of a <see cref="Fleet"/>: what it has asked, and when.</summary>
internal sealed class FleetClient(int index, WireSocket socket, int depth)
{
    /// <summary>Ids of all clients differ, so that a reply on the wrong connection is noticed: sequence * Stride + index.</summary>
    public const int Stride = 1024;

    private readonly byte[] _received = new byte[65536];
    private readonly byte[] _unsent = new byte[128 * depth];
    private readonly long[] _sentAt = new long[depth];
    private int _filled, _unsentLength;
    private long _next = 1, _oldest = 1;

    public WireSocket Socket => socket;
    public bool IsBroken { get; private set; }
    public long Answered { get; set; }
    public int Open => (int)(_next - _oldest);

    /// <summary>Asks until <paramref name="wanted"/> requests are open, all in one send. A paced client says since when it has wanted to.</summary>
    public void Ask(Questions questions, int wanted, Tally tally, long? since = null)
    {
        var now = since ?? Stopwatch.GetTimestamp();
        while (Open < wanted)
        {
            _unsentLength += questions.Write(_unsent.AsSpan(_unsentLength), (_next * Stride) + index, _next);
            _sentAt[_next % depth] = now;
            _next++;
        }
        Flush(tally);
    }

    /// <summary>Reads what has arrived and accounts for each reply. False when nothing more can be expected here.</summary>
    public bool Receive(Questions questions, Samples samples, Tally tally)
    {
        var count = socket.Receive(_received.AsSpan(_filled), out var error);
        if (count == 0)
        {
            return error == Errno.Again || Break(tally, error);
        }
        var now = Stopwatch.GetTimestamp();
        _filled += count;
        var used = 0;
        while (Reply.TryRead(_received.AsSpan(used, _filled - used), questions.Dialect, out var reply))
        {
            used += reply.HeadLength;
            Account(reply, questions, now, samples, tally);
        }
        _received.AsSpan(used, _filled - used).CopyTo(_received);
        _filled -= used;
        return true;
    }

    /// <summary>What is still open will not be answered any more; later replies would be somebody else's.</summary>
    public void GiveUp(Tally tally)
    {
        tally.TimedOut += Open;
        Close();
    }

    public void Close()
    {
        IsBroken = true;
        socket.Dispose();
    }

    private void Account(Reply reply, Questions questions, long now, Samples samples, Tally tally)
    {
        if (!reply.IsOk)
        {
            tally.Errors++;
        }
        else if (Open == 0 || reply.Value != questions.ValueOf(_oldest) || (questions.Dialect == Dialect.Version2 && reply.Id != (_oldest * Stride) + index))
        {
            tally.Wrong++;
        }
        if (Open > 0)
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
        // What the kernel did not take goes with the next one: replies are due, so there is a next one.
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
