using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Asks to be told of something on this connection.</summary>
/// <param name="Topic">Of what; its name becomes the watch's.</param>
public readonly record struct StartWatch(EventTopic Topic) : ICommand
{
    private static readonly CommandRow WatchRow = new("watch", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => WatchRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Topic.Name));
        head.Word(Encoding.ASCII.GetBytes(Topic.Kind));
        head.Named("every"u8, Topic.Every);
        if (Topic.Kind == "memory")
        {
            Span<byte> place = stackalloc byte[Location.LongestText];
            head.NamedWord("at"u8, place[..Topic.Location.Format(place)]);
            head.Named("length"u8, Topic.Length);
        }
    }
}
