using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Persistent connections served by one thread, either back to back or at a fixed rate.</summary>
internal sealed class Fleet(int port, WireRequests requests, Samples samples, Tally tally) : IDisposable
{
    private static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(5);

    private readonly Poller _poller = new();
    private readonly List<FleetClient> _clients = [];

    /// <summary>Answers of the slowest client relative to the mean.</summary>
    public double SlowestToMean => _clients.Count == 0 ? 0 : _clients.Min(client => client.Answered) / Math.Max(1, _clients.Average(client => client.Answered));

    /// <summary>Answers of all clients since the last reset of the counts.</summary>
    public long Answered => _clients.Sum(client => client.Answered);

    public int Alive => _clients.Count(client => !client.IsBroken);

    /// <summary>Opens all connections at once. Counts and omits those that take longer than the timeout.</summary>
    public void Connect(int count, int depth, TimeSpan timeout)
    {
        using var connecting = new Poller();
        var sockets = new LoopbackSocket?[count];
        for (var i = 0; i < count; i++)
        {
            var socket = LoopbackSocket.Begin(port, out var error);
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
        while (open > 0 && clock.Elapsed < timeout)
        {
            var ready = connecting.Wait(100);
            for (var i = 0; i < ready; i++)
            {
                Complete(sockets, connecting.Ready(i), depth);
                open--;
            }
        }
        foreach (var pending in sockets.Where(socket => socket is not null))
        {
            tally.TimedOut++;
            pending!.Dispose();
        }
    }

    /// <summary>Each client keeps <paramref name="depth"/> requests outstanding.</summary>
    public void RunBackToBack(TimeSpan length, int depth, CancellationToken cancel = default)
    {
        var end = Stopwatch.GetTimestamp() + Ticks(length);
        foreach (var client in _clients.Where(client => !client.IsBroken))
        {
            client.Send(requests, depth, tally);
        }
        while (Stopwatch.GetTimestamp() < end && !cancel.IsCancellationRequested)
        {
            var ready = _poller.Wait(100);
            for (var i = 0; i < ready; i++)
            {
                var client = _clients[_poller.Ready(i)];
                if (!client.IsBroken && client.Receive(requests, samples, tally))
                {
                    client.Send(requests, depth, tally);
                }
            }
        }
        Drain();
    }

    /// <summary>
    /// Each client sends one request per period, evenly spread. A client whose answer is outstanding sends late; its latency counts from the scheduled time.
    /// </summary>
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
                SendWhenIdle(i, due, (long)(start + (turn * step)));
            }
            var milliseconds = ((start + (turn * step)) - now) * 1000 / Stopwatch.Frequency;
            Serve(_poller.Wait((int)Math.Clamp(Math.Ceiling(milliseconds), 0, 100)), due);
        }
        Drain();
    }

    public void Close(int count) => _clients.Where(client => !client.IsBroken).Take(count).ToList().ForEach(client => client.Close());

    public void ResetCounts()
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

    private void Complete(LoopbackSocket?[] sockets, int i, int depth)
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

    private void SendWhenIdle(int i, long?[] due, long since)
    {
        var client = _clients[i];
        if (client.IsBroken)
        {
            return;
        }
        if (client.Outstanding == 0)
        {
            // Measured from now: epoll has a coarse clock, and the generator's own delay is not latency.
            client.Send(requests, 1, tally);
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
            if (!client.IsBroken && client.Receive(requests, samples, tally) && client.Outstanding == 0 && due[index] is long since)
            {
                due[index] = null;
                client.Send(requests, 1, tally, since);
            }
        }
    }

    /// <summary>Waits for outstanding answers; those missing after the timeout count as timed out.</summary>
    private void Drain()
    {
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed < DrainTimeout && _clients.Exists(client => !client.IsBroken && client.Outstanding > 0))
        {
            var ready = _poller.Wait(100);
            for (var i = 0; i < ready; i++)
            {
                var client = _clients[_poller.Ready(i)];
                _ = client.IsBroken || client.Receive(requests, samples, tally);
            }
        }
        foreach (var client in _clients.Where(client => !client.IsBroken && client.Outstanding > 0))
        {
            client.GiveUp(tally);
        }
    }
}
