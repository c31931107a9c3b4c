using System.Threading.Channels;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>One who is told. Whoever reads too slowly loses the oldest, and nobody else notices.</summary>
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

    /// <summary>The names of its topics, which the feed keeps under its own lock.</summary>
    internal HashSet<string> Names { get; } = [];

    /// <summary>What is to be told.</summary>
    public ChannelReader<EmulatorEvent> Waiting => _waiting.Reader;

    /// <summary>How many were lost since this was asked last.</summary>
    public int TakeLost() => Interlocked.Exchange(ref _lost, 0);

    /// <inheritdoc/>
    public void Dispose() => _feed.Leave(this);

    internal void Tell(EmulatorEvent told) => _waiting.Writer.TryWrite(told);

    internal void End() => _waiting.Writer.TryComplete();
}
