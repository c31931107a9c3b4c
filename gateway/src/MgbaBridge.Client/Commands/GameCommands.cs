using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct ReadGame
{
    /// <summary>Reads the reply.</summary>
    public static GameInfo Parse(Reply reply)
    {
        var values = reply.Values;
        return new GameInfo(
            Text(ref values, "title"u8), Text(ref values, "code"u8), Text(ref values, "platform"u8), Number(ref values, "crc32"u8),
            Number(ref values, "rom_size"u8), Number(ref values, "frame_cycles"u8), Number(ref values, "frequency"u8),
            values.ReadTo("game_code"u8) && values.Kind == ValueKind.Text ? values.GetText() : null);
    }

    private static string Text(ref ValueReader values, ReadOnlySpan<byte> name) =>
        values.ReadTo(name) ? values.GetText() : throw new UnexpectedReplyException(Row);

    private static long Number(ref ValueReader values, ReadOnlySpan<byte> name) =>
        values.ReadTo(name) ? values.Integer : throw new UnexpectedReplyException(Row);
}

/// <summary>The game that is loaded.</summary>
/// <param name="Title">The title in its header.</param>
/// <param name="Code">The code as mGBA reports it: <c>AGB-BBTE</c> in 0.10, <c>BBTE</c> in 0.11.</param>
/// <param name="Platform"><c>gba</c> or <c>gb</c>.</param>
/// <param name="Crc32">The checksum of the ROM.</param>
/// <param name="RomSize">The size of the ROM in bytes.</param>
/// <param name="FrameCycles">CPU cycles in a frame.</param>
/// <param name="Frequency">CPU cycles in a second.</param>
/// <param name="GameCode">The four letters in the ROM header; null when it has none, or the script is too old to read them.</param>
public readonly record struct GameInfo(string Title, string Code, string Platform, long Crc32, long RomSize, long FrameCycles, long Frequency, string? GameCode);

public readonly partial record struct ReadChecksum
{
    /// <summary>The checksum, unsigned.</summary>
    public static long Parse(Reply reply) => reply.ReadInteger(Row);
}

public readonly partial record struct ReadCoreFrame
{
    /// <summary>The count.</summary>
    public static long Parse(Reply reply) => reply.ReadInteger(Row);
}

/// <summary>How a line in mGBA's Scripting window is shown.</summary>
public enum ConsoleLevel
{
    Log,
    Warn,
    Error,
}
