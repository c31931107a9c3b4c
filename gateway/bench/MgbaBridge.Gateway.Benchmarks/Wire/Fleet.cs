using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Lasting connections served by one thread: each asks again as soon as it is answered, or all in turn by a clock.</summary>
internal sealed class Fleet(int port, Questions questions, Samples samples, Tally tally) : IDisposable
{
    private static readonly TimeSpan DrainPatience = TimeSpan.FromSeconds(5);

    private readonly Poller _poller = new();
    private readonly List<FleetClient> _clients = [];

    /// <summary>Answers of the slowest client as a part of the mean.</summary>
    public double SlowestToMean => _clients.Count == 0 ? 0 : _clients.Min(client => client.Answered) / Math.Max(1, _clients.Average(client => client.Answered));

    /// <summary>Answers of all clients since the counts were forgotten.</summary>
    public long Answered => _clients.Sum(client => client.Answered);

    public int Alive => _clients.Count(client => !client.IsBroken);

    /// <summary>Opens connections, all at once; those that need longer are counted and left out.</summary>
    public void Connect(int count, int depth, TimeSpan patience)
    {
        using var connecting = new Poller();
        var sockets = new WireSocket?[count];
        for (var i = 0; i < count; i++)
        {
            var socket = WireSocket.Begin(port, out var error);
            if (error != Errno.None)
            {
                tally.Count(error);
                socket.Dispose();
                continue;
            }
            sockets[i] = socket;
            connecting.Add(socket, i, isConnecting: true);
        }
        var clock = Stopwatch.StartNew();
        var open = sockets.Count(socket => socket is not null);
        while (open > 0 && clock.Elapsed < patience)
        {
            var ready = connecting.Wait(100);
            for (var i = 0; i < ready; i++)
            {
                Welcome(sockets, connecting.Ready(i), depth);
                open--;
            }
        }
        foreach (var late in sockets.Where(socket => socket is not null))
        {
            tally.TimedOut++;
            late!.Dispose();
        }
    }

    /// <summary>Each client keeps <paramref name="depth"/> requests open, for this long.</summary>
    public void RunBackToBack(TimeSpan length, int depth, CancellationToken cancel = default)
    {
        var end = Stopwatch.GetTimestamp() + Ticks(length);
        foreach (var client in _clients.Where(client => !client.IsBroken))
        {
            client.Ask(questions, depth, tally);
        }
        while (Stopwatch.GetTimestamp() < end && !cancel.IsCancellationRequested)
        {
            var ready = _poller.Wait(100);
            for (var i = 0; i < ready; i++)
            {
                var client = _clients[_poller.Ready(i)];
                if (!client.IsBroken && client.Receive(questions, samples, tally))
                {
                    client.Ask(questions, depth, tally);
                }
            }
        }
        Drain();
    }

    /// <summary>Each client asks once a period, evenly spread over it. One whose last answer is still out asks when it has it, and has waited since its time.</summary>
    public void RunPaced(TimeSpan length, TimeSpan period)
    {
        var start = Stopwatch.GetTimestamp();
        var end = start + Ticks(length);
        var step = (double)Ticks(period) / _clients.Count;
        var due = new long?[_clients.Count];
        for (long turn = 0, now = start; now < end; now = Stopwatch.GetTimestamp())
        {
            for (; start + (turn * step) <= now; turn++)
            {
                var i = (int)(turn % _clients.Count);
                AskWhenFree(i, due, (long)(start + (turn * step)));
            }
            var milliseconds = ((start + (turn * step)) - now) * 1000 / Stopwatch.Frequency;
            Serve(_poller.Wait((int)Math.Clamp(Math.Ceiling(milliseconds), 0, 100)), due);
        }
        Drain();
    }

    public void Close(int count) => _clients.Where(client => !client.IsBroken).Take(count).ToList().ForEach(client => client.Close());

    public void ForgetCounts()
    {
        samples.Clear();
        tally.Answered = 0;
        _clients.ForEach(client => client.Answered = 0);
    }

    public void Dispose()
    {
        _clients.ForEach(client => client.Close());
        _poller.Dispose();
    }

    private static long Ticks(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);

    private void Welcome(WireSocket?[] sockets, int i, int depth)
    {
        var socket = sockets[i]!;
        sockets[i] = null;
        var error = socket.ConnectError();
        if (error != Errno.None)
        {
            tally.Count(error);
            socket.Dispose();
            return;
        }
        tally.Connected++;
        var client = new FleetClient(i, socket, depth);
        _poller.Add(socket, _clients.Count);
        _clients.Add(client);
    }

    private void AskWhenFree(int i, long?[] due, long since)
    {
        var client = _clients[i];
        if (client.IsBroken)
        {
            return;
        }
        if (client.Open == 0)
        {
            // The clock of epoll is coarse: what the generator is late itself is no wait of the client's.
            client.Ask(questions, 1, tally);
        }
        else
        {
            due[i] ??= since;
        }
    }

    private void Serve(int ready, long?[] due)
    {
        for (var i = 0; i < ready; i++)
        {
            var index = _poller.Ready(i);
            var client = _clients[index];
            if (!client.IsBroken && client.Receive(questions, samples, tally) && client.Open == 0 && due[index] is long since)
            {
                due[index] = null;
                client.Ask(questions, 1, tally, since);
            }
        }
    }

    /// <summary>Waits for the answers that are still out; who has none by then never gets one.</summary>
    private void Drain()
    {
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed < DrainPatience && _clients.Exists(client => !client.IsBroken && client.Open > 0))
        {
            var ready = _poller.Wait(100);
            for (var i = 0; i < ready; i++)
            {
                var client = _clients[_poller.Ready(i)];
                _ = client.IsBroken || client.Receive(questions, samples, tally);
            }
        }
        foreach (var client in _clients.Where(client => !client.IsBroken && client.Open > 0))
        {
            client.GiveUp(tally);
        }
    }
}
