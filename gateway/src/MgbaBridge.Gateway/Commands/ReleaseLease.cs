using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Ends the lockstep lease.</summary>
public readonly record struct ReleaseLease() : ICommand
{
    private static readonly CommandRow ReleaseRow = new("lease.release", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => ReleaseRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>Whether there was one.</summary>
    public static bool Parse(Reply reply)
    {
        var values = reply.Values;
        return values.Read() ? values.Boolean : throw new UnexpectedReplyException(ReleaseRow);
    }
}
