using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Protocol;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>
/// What one emulator says unasked, for any number of subscribers: the script has one watch for each distinct topic, on a connection of
/// its own. A bounded history lets a subscriber that was cut off go on where it was.
/// </summary>
public sealed class EventFeed : IAsyncDisposable
{
    private const int HistoryLength = 4_096;

    // a watch outlives its last subscriber, so that one who comes back misses nothing
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(30);

    private readonly EmulatorClient _link;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _over = new();
    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _watching = new(1, 1);
    private readonly List<EventSubscription> _subscriptions = [];
    private readonly Dictionary<string, EventTopic> _watches = [];
    private readonly Queue<EmulatorEvent> _history = new();
    private long _last;
    private bool _lost;

    internal EventFeed(Func<PoolEvents, EmulatorClient> connect, TimeProvider time)
    {
        _time = time;
        _link = connect(new PoolEvents(Follow, Hear));
    }

    /// <summary>Tells the numbers of this feed from those of another one, before the gateway was started anew.</summary>
    public string Id { get; } = RandomNumberGenerator.GetHexString(8, lowercase: true);

    /// <summary>Watches that the script has.</summary>
    public int Watches => _watches.Count;

    /// <summary>Subscribes, or says why a topic cannot be watched.</summary>
    /// <param name="topics">What to be told of.</param>
    /// <param name="after">The number of the last event that was seen, or null for none.</param>
    /// <param name="cancellationToken">The caller left.</param>
    public async Task<(EventSubscription? Subscription, FailureReport? Failure)> SubscribeAsync(
        IReadOnlyList<EventTopic> topics, long? after, CancellationToken cancellationToken)
    {
        var subscription = new EventSubscription(this, topics.Select(topic => topic.Name).ToHashSet());
        lock (_gate)
        {
            var oldest = _history.TryPeek(out var first) ? first.Number : _last + 1;
            subscription.Missed = after is null ? [] : [.. _history.Where(told => told.Number > after && subscription.Names.Contains(told.Name))];
            subscription.Forgotten = after is { } seen ? Math.Max(0, oldest - seen - 1) : 0;
            _subscriptions.Add(subscription);
        }

        try
        {
            if (await WatchAsync(topics, cancellationToken) is { } failure)
            {
                Leave(subscription);
                return (null, failure);
            }

            return (subscription, null);
        }
        catch (OperationCanceledException)
        {
            Leave(subscription);
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _over.CancelAsync();
        lock (_gate)
        {
            _subscriptions.ForEach(subscription => subscription.End());
        }

        await _link.DisposeAsync();
        _over.Dispose();
        _watching.Dispose();
    }

    internal void Leave(EventSubscription subscription)
    {
        lock (_gate)
        {
            if (!_subscriptions.Remove(subscription))
            {
                return;
            }
        }

        subscription.End();
        _ = UnwatchLaterAsync();
    }

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

    private async Task UnwatchLaterAsync()
    {
        try
        {
            await Task.Delay(Grace, _time, _over.Token);
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
            string[] unused = [.. _watches.Keys.Where(name => !_subscriptions.Any(subscription => subscription.Names.Contains(name)))];
            Array.ForEach(unused, name => _watches.Remove(name));
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
        }

        foreach (var topic in topics)
        {
            if (await WatchAsync([topic], CancellationToken.None) is { } failure)
            {
                Publish(topic.Name, "ended", 0, 0, Encoding.UTF8.GetBytes($"\"{failure.Code ?? failure.Rule.Name}\""), default);
            }
        }
    }

    /// <summary>Called by the connection, one event after the other.</summary>
    private void Hear(Announcement told)
    {
        if (told.Topic != "watch")
        {
            Publish(told.Topic.Split('.')[0], told.Topic, told.Frame, told.Epoch, told.Values, told.Tail);
            return;
        }

        var values = new ValueReader(told.Values.Span);
        var watch = values.Read() ? values.GetText() : "";
        var kind = values.Read() ? values.GetText() : "";
        if (kind == "ended")
        {
            lock (_gate)
            {
                _watches.Remove(watch);
            }
        }

        Publish(watch, kind, told.Frame, told.Epoch, told.Values, told.Tail);
    }

    private void Publish(string name, string kind, long frame, uint epoch, ReadOnlyMemory<byte> values, ReadOnlyMemory<byte> bytes)
    {
        lock (_gate)
        {
            var told = new EmulatorEvent(++_last, name, kind, frame, epoch, values, bytes);
            _history.Enqueue(told);
            if (_history.Count > HistoryLength)
            {
                _history.Dequeue();
            }

            foreach (var subscription in _subscriptions)
            {
                if (subscription.Names.Contains(name))
                {
                    subscription.Tell(told);
                }
            }
        }
    }
}
