using System.Threading.Channels;

namespace MgbaBridge.Client.Emulator;

/// <summary>A viewer of pictures. Only the newest picture is kept: a slow viewer misses some, without an effect on the others.</summary>
public sealed class PictureViewer : IDisposable
{
    private readonly PictureFeed _feed;
    private readonly Channel<Screenshot> _newest = Channel.CreateBounded<Screenshot>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true });

    internal PictureViewer(PictureFeed feed, TimeSpan period) => (_feed, Period) = (feed, period);

    /// <summary>The newest picture, unless it was already taken.</summary>
    public ChannelReader<Screenshot> Newest => _newest.Reader;

    /// <summary>The minimum interval between two pictures.</summary>
    internal TimeSpan Period { get; }

    /// <summary>When the next picture is due.</summary>
    internal long Due { get; set; }

    /// <summary>The picture that was delivered last.</summary>
    internal Screenshot? Seen { get; set; }

    public void Dispose() => _feed.Leave(this);

    internal void Show(Screenshot picture)
    {
        Seen = picture;
        _newest.Writer.TryWrite(picture);
    }

    internal void End() => _newest.Writer.TryComplete();
}
