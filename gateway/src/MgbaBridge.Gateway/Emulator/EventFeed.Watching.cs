using System.Text;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Emulator;

/// <content>The watches in the script: one for each topic that somebody is told of.</content>
public sealed partial class EventFeed
{
    private async Task<FailureReport?> WatchAsync(IEnumerable<EventTopic> topics, CancellationToken cancellationToken)
    {
        await _watching.WaitAsync(cancellationToken);
        try
        {
            foreach (var topic in topics.Where(topic => topic.IsWatched && !IsWatched(topic.Name)))
            {
                using var reply = await _link.SendAsync(new StartWatch(topic), default, cancellationToken);
                if (reply.Failure is { } failure)
                {
                    return failure;
                }

                lock (_gate)
                {
                    _watches[topic.Name] = topic;
                }
            }

            return null;
        }
        finally
        {
            _watching.Release();
        }
    }

    // one timer for all: subscribers may come and go by the thousand. Inside the lock
    private void SweepLater()
    {
        NoteUnused();
        if (!_sweeping)
        {
            _sweeping = true;
            _sweep.Change(Grace, Timeout.InfiniteTimeSpan);
        }
    }

    private void NoteUnused()
    {
        foreach (var name in _watches.Keys)
        {
            if (_subscriptions.Any(subscription => subscription.Names.Contains(name)))
            {
                _unused.Remove(name);
            }
            else
            {
                _unused.TryAdd(name, _time.GetTimestamp());
            }
        }
    }

    private async Task UnwatchAsync()
    {
        try
        {
            await _watching.WaitAsync(_over.Token);
        }
        catch (Exception exception) when (exception is OperationCanceledException or ObjectDisposedException)
        {
            return;
        }

        try
        {
            foreach (var name in TakeUnused())
            {
                using var reply = await _link.SendAsync(new StopWatch(name));
            }
        }
        finally
        {
            _watching.Release();
        }
    }

    private bool IsWatched(string name)
    {
        lock (_gate)
        {
            return _watches.ContainsKey(name);
        }
    }

    private string[] TakeUnused()
    {
        lock (_gate)
        {
            NoteUnused();
            string[] unused = [.. _unused.Where(entry => _time.GetElapsedTime(entry.Value) >= Grace).Select(entry => entry.Key)];
            Array.ForEach(unused, name => _ = _watches.Remove(name) | _levels.Remove(name) | _unused.Remove(name));
            _sweeping = _unused.Count > 0;
            if (_sweeping)
            {
                _sweep.Change(Grace - _time.GetElapsedTime(_unused.Values.Min()) + TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
            }

            return unused;
        }
    }

    /// <summary>Watches end with their connection: on another one they begin anew.</summary>
    private void Follow(LinkState link)
    {
        if (link.Phase == LinkPhase.Up && _lost)
        {
            _lost = false;
            Publish("script", "script.connected", 0, link.Hello?.Epoch ?? 0, default, default);
            _ = WatchAgainAsync();
        }
        else if (link.Phase is LinkPhase.Connecting or LinkPhase.Down && !_lost)
        {
            _lost = true;
            Publish("script", "script.lost", 0, 0, default, default);
        }
    }

    private async Task WatchAgainAsync()
    {
        EventTopic[] topics;
        lock (_gate)
        {
            topics = [.. _watches.Values];
            _watches.Clear();
            _levels.Clear();
            _unused.Clear();
        }

        foreach (var topic in topics)
        {
            if (await WatchAsync([topic], CancellationToken.None) is { } failure)
            {
                Publish(topic.Name, "ended", 0, 0, Encoding.UTF8.GetBytes($"\"{failure.Code ?? failure.Rule.Name}\""), default);
            }
        }
    }
}
