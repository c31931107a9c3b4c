using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Emulator;

/// <summary>
/// The watches that the script runs for a feed: one for each distinct topic. A watch without a subscriber remains for a grace period, so that a subscriber
/// that reconnects misses nothing.
/// </summary>
/// <param name="gate">The feed's lock; the callbacks run inside it.</param>
/// <param name="link">The connection on which the script watches.</param>
/// <param name="time">The clock.</param>
/// <param name="isUsed">Whether a topic has a subscriber.</param>
/// <param name="removed">Called with the topic of a watch that has ended.</param>
internal sealed class EventWatches(Lock gate, Func<EmulatorClient> link, TimeProvider time, Func<string, bool> isUsed, Action<string> removed) : IAsyncDisposable
{
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(30);

    private readonly CancellationTokenSource _stopping = new();
    private readonly SemaphoreSlim _sending = new(1, 1);
    private readonly Dictionary<string, EventTopic> _watches = [];

    // watches without a subscriber, with the time since when
    private readonly Dictionary<string, long> _unused = [];
    private ITimer? _sweep;
    private bool _sweepScheduled;

    /// <summary>The number of watches.</summary>
    public int Count => _watches.Count;

    /// <summary>Starts the watches that are missing, and returns the first failure.</summary>
    public async Task<CommandFailure?> StartAsync(IEnumerable<EventTopic> topics, CancellationToken cancellationToken)
    {
        await _sending.WaitAsync(cancellationToken);
        try
        {
            foreach (var topic in topics.Where(topic => topic.IsWatched && !Contains(topic.Name)))
            {
                using var reply = await link().SendAsync(topic.Watch, default, cancellationToken);
                if (reply.Failure is { } failure)
                {
                    return failure;
                }

                lock (gate)
                {
                    _watches[topic.Name] = topic;
                }
            }

            return null;
        }
        finally
        {
            _sending.Release();
        }
    }

    /// <summary>The topics have a subscriber. Call it inside the lock.</summary>
    public void MarkUsed(string[] names) => Array.ForEach(names, name => _unused.Remove(name));

    /// <summary>The script has ended a watch.</summary>
    public void Remove(string name)
    {
        lock (gate)
        {
            _watches.Remove(name);
            _unused.Remove(name);
        }
    }

    /// <summary>Removes all watches and returns their topics: they end with the connection.</summary>
    public EventTopic[] RemoveAll()
    {
        lock (gate)
        {
            EventTopic[] topics = [.. _watches.Values];
            _watches.Clear();
            _unused.Clear();
            return topics;
        }
    }

    /// <summary>Subscribers have left: schedules the end of unused watches. One timer serves all. Call it inside the lock.</summary>
    public void ScheduleSweep()
    {
        FindUnused();
        if (!_sweepScheduled)
        {
            _sweepScheduled = true;
            Schedule(Grace);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        if (_sweep is { } sweep)
        {
            await sweep.DisposeAsync();
        }
    }

    /// <summary>Releases what the watches need while the link is open. Call it after the link is disposed.</summary>
    public void Release()
    {
        _stopping.Dispose();
        _sending.Dispose();
    }

    private void Schedule(TimeSpan delay)
    {
        _sweep ??= time.CreateTimer(
            static state => _ = ((EventWatches)state!).StopUnusedAsync(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _sweep.Change(delay, Timeout.InfiniteTimeSpan);
    }

    private void FindUnused()
    {
        foreach (var name in _watches.Keys)
        {
            if (isUsed(name))
            {
                _unused.Remove(name);
            }
            else
            {
                _unused.TryAdd(name, time.GetTimestamp());
            }
        }
    }

    private async Task StopUnusedAsync()
    {
        try
        {
            await _sending.WaitAsync(_stopping.Token);
        }
        catch (Exception exception) when (exception is OperationCanceledException or ObjectDisposedException)
        {
            return;
        }

        try
        {
            foreach (var name in TakeUnused())
            {
                using var reply = await link().SendAsync(new RemoveWatch(name));
            }
        }
        finally
        {
            _sending.Release();
        }
    }

    private bool Contains(string name)
    {
        lock (gate)
        {
            return _watches.ContainsKey(name);
        }
    }

    private string[] TakeUnused()
    {
        lock (gate)
        {
            FindUnused();
            string[] unused = [.. _unused.Where(entry => time.GetElapsedTime(entry.Value) >= Grace).Select(entry => entry.Key)];
            foreach (var name in unused)
            {
                _watches.Remove(name);
                _unused.Remove(name);
                removed(name);
            }

            _sweepScheduled = _unused.Count > 0;
            if (_sweepScheduled)
            {
                Schedule(Grace - time.GetElapsedTime(_unused.Values.Min()) + TimeSpan.FromMilliseconds(1));
            }

            return unused;
        }
    }
}
