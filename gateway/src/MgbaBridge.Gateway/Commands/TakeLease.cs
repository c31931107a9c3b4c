using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Takes the wheel: from now on the game runs only the frames that the holder asks for.</summary>
/// <param name="LimitMilliseconds">How long the holder may say nothing, 50..10000; null for 2000.</param>
/// <param name="Token">That of a lease to go on with, or null.</param>
public readonly record struct TakeLease(long? LimitMilliseconds, string? Token) : ICommand
{
    private static readonly CommandRow TakeRow = new("lease.take", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => TakeRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        if (LimitMilliseconds is { } limit)
        {
            head.Named("limit"u8, limit);
        }

        if (Token is not null)
        {
            head.Named("token"u8, Encoding.UTF8.GetBytes(Token));
        }
    }

    /// <summary>The token to go on with, the limit, and how many frames of a step are still to come.</summary>
    public static (string Token, long LimitMilliseconds, long Running) Parse(Reply reply)
    {
        var values = reply.Values;
        var token = values.ReadTo("token"u8) ? values.GetText() : throw new UnexpectedReplyException(TakeRow);
        var limit = values.ReadTo("limit"u8) ? values.Integer : throw new UnexpectedReplyException(TakeRow);
        return (token, limit, values.ReadTo("running"u8) ? values.Integer : 0);
    }
}
