using System.Threading.Channels;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>One who watches. Only the newest picture waits: whoever looks too slowly misses some, and nobody else notices.</summary>
public sealed class PictureViewer : IDisposable
{
    private readonly PictureFeed _feed;
    private readonly Channel<Screenshot> _newest = Channel.CreateBounded<Screenshot>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true });

    internal PictureViewer(PictureFeed feed, TimeSpan period) => (_feed, Period) = (feed, period);

    /// <summary>The newest picture, if it was not taken yet.</summary>
    public ChannelReader<Screenshot> Newest => _newest.Reader;

    /// <summary>The least time between two pictures.</summary>
    internal TimeSpan Period { get; }

    /// <summary>When the next one is due.</summary>
    internal long Due { get; set; }

    /// <summary>What it was shown last.</summary>
    internal Screenshot? Seen { get; set; }

    /// <inheritdoc/>
    public void Dispose() => _feed.Leave(this);

    internal void Show(Screenshot picture)
    {
        Seen = picture;
        _newest.Writer.TryWrite(picture);
    }

    internal void End() => _newest.Writer.TryComplete();
}
