using System.Security.Cryptography;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Protocol;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>
/// What one emulator says unasked, for any number of subscribers: the script has one watch for each distinct topic, on a connection of
/// its own. A bounded history lets a subscriber that was cut off go on where it was.
/// </summary>
public sealed partial class EventFeed : IAsyncDisposable
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

    // watches without a subscriber, and since when
    private readonly Dictionary<string, long> _unused = [];
    private readonly ITimer _sweep;
    private readonly Queue<EmulatorEvent> _history = new();

    // the keys as they are: who comes later is told them first, as the one was for whom the watch began
    private readonly Dictionary<string, EmulatorEvent> _levels = [];
    private long _last;
    private bool _lost;
    private bool _sweeping;

    internal EventFeed(Func<PoolEvents, EmulatorClient> connect, TimeProvider time)
    {
        _time = time;
        _sweep = time.CreateTimer(static state => _ = ((EventFeed)state!).UnwatchAsync(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _link = connect(new PoolEvents(Follow, Hear));
    }

    /// <summary>Tells the numbers of this feed from those of another one, before the gateway was started anew.</summary>
    public string Id { get; } = RandomNumberGenerator.GetHexString(8, lowercase: true);

    /// <summary>Watches that the script has.</summary>
    public int Watches => _watches.Count;

    /// <summary>Makes a subscription that is told of nothing yet. Dispose it.</summary>
    public EventSubscription Join()
    {
        var subscription = new EventSubscription(this);
        lock (_gate)
        {
            _subscriptions.Add(subscription);
        }

        return subscription;
    }

    /// <summary>Adds topics to a subscription, or says why one cannot be watched; then none is added.</summary>
    /// <param name="subscription">Whose.</param>
    /// <param name="topics">What to be told of.</param>
    /// <param name="after">The number of the last event that was seen, or null for none.</param>
    /// <param name="cancellationToken">The caller left.</param>
    public async Task<EventBacklog> AddAsync(EventSubscription subscription, IReadOnlyList<EventTopic> topics, long? after, CancellationToken cancellationToken)
    {
        EventBacklog backlog;
        string[] names;
        lock (_gate)
        {
            names = [.. topics.Select(topic => topic.Name).Where(subscription.Names.Add)];
            Array.ForEach(names, name => _unused.Remove(name));
            var oldest = _history.TryPeek(out var first) ? first.Number : _last + 1;
            backlog = after is { } seen
                ? new EventBacklog([.. _history.Where(told => told.Number > seen && names.Contains(told.Name))], Math.Max(0, oldest - seen - 1), null)
                : new EventBacklog([.. names.Select(name => _levels.GetValueOrDefault(name)).OfType<EmulatorEvent>()], 0, null);
        }

        var watched = false;
        try
        {
            backlog = backlog with { Failure = await WatchAsync(topics, cancellationToken) };
            watched = backlog.Failure is null;
            return backlog;
        }
        finally
        {
            if (!watched)
            {
                Remove(subscription, names);
            }
        }
    }

    /// <summary>Takes topics from a subscription.</summary>
    public void Remove(EventSubscription subscription, IReadOnlyList<string> names)
    {
        lock (_gate)
        {
            subscription.Names.ExceptWith(names);
            SweepLater();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _over.CancelAsync();
        await _sweep.DisposeAsync();
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

            SweepLater();
        }

        subscription.End();
    }

    /// <summary>Called by the connection, one event after the other.</summary>
    private void Hear(UnsolicitedEvent told)
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
                _unused.Remove(watch);
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
            if (kind == "keys")
            {
                _levels[name] = told;
            }

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
