using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Asks what is known about the game.</summary>
public readonly record struct ReadGame() : ICommand
{
    private static readonly CommandRow GameRow = new("game", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => GameRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>What is known.</summary>
    public static Game Parse(Reply reply)
    {
        var values = reply.Values;
        return new Game(
            Text(ref values, "title"u8), Text(ref values, "code"u8), Text(ref values, "platform"u8), Number(ref values, "crc32"u8),
            Number(ref values, "rom_size"u8), Number(ref values, "frame_cycles"u8), Number(ref values, "frequency"u8),
            values.ReadTo("game_code"u8) && values.Kind == ValueKind.Text ? values.GetText() : null);
    }

    private static string Text(ref ValueReader values, ReadOnlySpan<byte> name) =>
        values.ReadTo(name) ? values.GetText() : throw new UnexpectedReplyException(GameRow);

    private static long Number(ref ValueReader values, ReadOnlySpan<byte> name) =>
        values.ReadTo(name) ? values.Integer : throw new UnexpectedReplyException(GameRow);
}
