using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Asks not to be told any more.</summary>
/// <param name="Name">The watch's name.</param>
public readonly record struct StopWatch(string Name) : ICommand
{
    private static readonly CommandRow UnwatchRow = new("unwatch", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => UnwatchRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Text(Encoding.UTF8.GetBytes(Name));
}
