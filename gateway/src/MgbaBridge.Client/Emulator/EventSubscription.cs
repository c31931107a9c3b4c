using System.Threading.Channels;

namespace MgbaBridge.Client.Emulator;

/// <summary>A subscription to events. A reader that is too slow loses the oldest events, without an effect on other subscriptions.</summary>
public sealed class EventSubscription : IDisposable
{
    private const int MaxWaiting = 256;

    private readonly EventFeed _feed;
    private readonly Channel<EmulatorEvent> _waiting;
    private int _lost;

    internal EventSubscription(EventFeed feed)
    {
        _feed = feed;
        _waiting = Channel.CreateBounded<EmulatorEvent>(
            new BoundedChannelOptions(MaxWaiting) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true },
            _ => Interlocked.Increment(ref _lost));
    }

    /// <summary>The names of its topics, guarded by the feed's lock.</summary>
    internal HashSet<string> Names { get; } = [];

    /// <summary>The events to be read.</summary>
    public ChannelReader<EmulatorEvent> Waiting => _waiting.Reader;

    /// <summary>Returns the number of events lost since the last call.</summary>
    public int TakeLost() => Interlocked.Exchange(ref _lost, 0);

    public void Dispose() => _feed.Leave(this);

    internal void Publish(EmulatorEvent published) => _waiting.Writer.TryWrite(published);

    internal void End() => _waiting.Writer.TryComplete();
}
