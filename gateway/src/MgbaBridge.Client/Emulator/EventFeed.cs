using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Client.Emulator;

/// <summary>
/// Distributes the events of one emulator to any number of subscribers, over a connection of its own. A bounded history lets a subscriber that was
/// disconnected resume after the last event that it received.
/// </summary>
public sealed class EventFeed : IAsyncDisposable
{
    /// <summary>How many of the last events a subscriber can resume after.</summary>
    public const int HistoryLength = 4_096;

    private readonly EmulatorClient _link;
    private readonly Action _scriptAnswers;
    private readonly Lock _gate = new();
    private readonly EventWatches _watches;
    private readonly List<EventSubscription> _subscriptions = [];
    private readonly Queue<EmulatorEvent> _history = new();

    // the last event of each topic that is a level, such as the keys: a later subscriber receives it first, as the one did for which the watch was started
    private readonly Dictionary<string, EmulatorEvent> _levels = [];
    private long _last;
    private bool _lost;

    /// <param name="connect">Creates the client for the connection.</param>
    /// <param name="scriptAnswers">Called before subscribers are informed that the script answers again.</param>
    /// <param name="time">The clock.</param>
    internal EventFeed(Func<PoolEvents, EmulatorClient> connect, Action scriptAnswers, TimeProvider time)
    {
        _scriptAnswers = scriptAnswers;
        _watches = new EventWatches(
            _gate, () => _link!, time, name => _subscriptions.Any(subscription => subscription.Names.Contains(name)), name => _levels.Remove(name));
        _link = connect(new PoolEvents(LinkChanged, Receive));
    }

    /// <summary>Identifies this feed: event numbers start again when the gateway restarts.</summary>
    public string Id { get; } = RandomNumberGenerator.GetHexString(8, lowercase: true);

    /// <summary>The number of watches in the script.</summary>
    public int Watches => _watches.Count;

    /// <summary>Creates a subscription without topics. Dispose it.</summary>
    public EventSubscription Join()
    {
        var subscription = new EventSubscription(this);
        lock (_gate)
        {
            _subscriptions.Add(subscription);
        }

        return subscription;
    }

    /// <summary>Adds topics to a subscription. If one cannot be watched, none is added.</summary>
    /// <param name="subscription">The subscription.</param>
    /// <param name="topics">The topics.</param>
    /// <param name="after">The number of the last event received, or null for none.</param>
    /// <param name="cancellationToken">The caller left.</param>
    public async Task<EventBacklog> AddAsync(EventSubscription subscription, IReadOnlyList<EventTopic> topics, long? after, CancellationToken cancellationToken)
    {
        EventBacklog backlog;
        string[] names;
        lock (_gate)
        {
            names = [.. topics.Select(topic => topic.Name).Where(subscription.Names.Add)];
            _watches.MarkUsed(names);
            var oldest = _history.TryPeek(out var first) ? first.Number : _last + 1;
            backlog = after is { } seen
                ? new EventBacklog([.. _history.Where(past => past.Number > seen && names.Contains(past.Name))], Math.Max(0, oldest - seen - 1), null)
                : new EventBacklog([.. names.Select(name => _levels.GetValueOrDefault(name)).OfType<EmulatorEvent>()], 0, null);
        }

        var watched = false;
        try
        {
            backlog = backlog with { Failure = await _watches.StartAsync(topics, cancellationToken) };
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

    /// <summary>Removes topics from a subscription.</summary>
    public void Remove(EventSubscription subscription, IReadOnlyList<string> names)
    {
        lock (_gate)
        {
            subscription.Names.ExceptWith(names);
            _watches.ScheduleSweep();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _watches.DisposeAsync();
        lock (_gate)
        {
            _subscriptions.ForEach(subscription => subscription.End());
        }

        await _link.DisposeAsync();
        _watches.Release();
    }

    /// <summary>Publishes an event that the script does not know of.</summary>
    internal void Announce(string kind, string value)
    {
        var text = Encoding.UTF8.GetBytes(value);
        var quoted = new byte[(text.Length * QuotedText.MaxGrowth) + 2];
        var length = QuotedText.Escape(text, quoted.AsSpan(1));
        quoted[0] = quoted[length + 1] = (byte)'"';
        Publish(TopicOf(kind), kind, 0, default, quoted.AsMemory(0, length + 2), default);
    }

    /// <summary>Tries to connect now: the script is known to listen.</summary>
    internal void ConnectNow() => _link.ConnectNow();

    internal void Leave(EventSubscription subscription)
    {
        lock (_gate)
        {
            if (!_subscriptions.Remove(subscription))
            {
                return;
            }

            _watches.ScheduleSweep();
        }

        subscription.End();
    }

    private static string TopicOf(string kind) => kind.Split('.')[0];

    /// <summary>Receives the events of the connection, one after the other.</summary>
    private void Receive(UnsolicitedEvent received)
    {
        if (received.Topic != "watch")
        {
            Publish(TopicOf(received.Topic), received.Topic, received.Frame, received.Epoch, received.Values, received.Tail);
            return;
        }

        var values = new ValueReader(received.Values.Span);
        var watch = values.Read() ? values.GetText() : "";
        var kind = values.Read() ? values.GetText() : "";
        if (kind == StreamEvents.Ended)
        {
            _watches.Remove(watch);
        }

        Publish(watch, kind, received.Frame, received.Epoch, received.Values[^values.Left..], received.Tail);
    }

    /// <summary>Watches end with their connection, and are started again on the next one.</summary>
    private void LinkChanged(LinkState link)
    {
        if (link.Phase == LinkPhase.Up && _lost)
        {
            _lost = false;
            _scriptAnswers();
            Publish("script", EventNames.ScriptConnected, 0, link.Hello?.Epoch ?? default, default, default);
            _ = RestartWatchesAsync();
        }
        else if (link.Phase is LinkPhase.Connecting or LinkPhase.Down && !_lost)
        {
            _lost = true;
            Publish("script", EventNames.ScriptLost, 0, default, default, default);
        }
    }

    private async Task RestartWatchesAsync()
    {
        EventTopic[] topics;
        lock (_gate)
        {
            topics = _watches.RemoveAll();
            _levels.Clear();
        }

        foreach (var topic in topics)
        {
            if (await _watches.StartAsync([topic], CancellationToken.None) is { } failure)
            {
                Publish(topic.Name, StreamEvents.Ended, 0, default, Encoding.UTF8.GetBytes($"\"{failure.CodeName ?? failure.Rule.Name}\""), default);
            }
        }
    }

    private void Publish(string name, string kind, long frame, Epoch epoch, ReadOnlyMemory<byte> values, ReadOnlyMemory<byte> bytes)
    {
        lock (_gate)
        {
            var published = new EmulatorEvent(++_last, name, kind, frame, epoch, values, bytes);
            var topic = TopicRow.Find(kind);
            if (topic is not { IsLive: true })
            {
                _history.Enqueue(published);
            }

            if (topic is { IsLevel: true })
            {
                _levels[name] = published;
            }

            if (_history.Count > HistoryLength)
            {
                _history.Dequeue();
            }

            foreach (var subscription in _subscriptions)
            {
                if (subscription.Names.Contains(name))
                {
                    subscription.Publish(published);
                }
            }
        }
    }
}
