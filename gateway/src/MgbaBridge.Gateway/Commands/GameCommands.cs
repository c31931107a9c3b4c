using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Returns information about the game.</summary>
public readonly record struct ReadGame() : ICommand<ReadGame>
{
    private static readonly CommandDescriptor GameDescriptor = new("game", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => GameDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

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
        values.ReadTo(name) ? values.GetText() : throw new UnexpectedReplyException(GameDescriptor);

    private static long Number(ref ValueReader values, ReadOnlySpan<byte> name) =>
        values.ReadTo(name) ? values.Integer : throw new UnexpectedReplyException(GameDescriptor);
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

/// <summary>Returns the CRC32 of the ROM.</summary>
public readonly record struct ReadChecksum() : ICommand<ReadChecksum>
{
    private static readonly CommandDescriptor ChecksumDescriptor = new("core.checksum", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => ChecksumDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>The checksum, unsigned.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(ChecksumDescriptor);
    }
}

/// <summary>Returns mGBA's own frame count, which a reset or a loaded state sets back.</summary>
public readonly record struct ReadCoreFrame() : ICommand<ReadCoreFrame>
{
    private static readonly CommandDescriptor FrameDescriptor = new("core.frame", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => FrameDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>The count.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(FrameDescriptor);
    }
}

/// <summary>Presses the reset button.</summary>
public readonly record struct ResetGame() : ICommand<ResetGame>
{
    private static readonly CommandDescriptor ResetDescriptor = new("core.reset", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => ResetDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}

/// <summary>Runs one instruction of the CPU.</summary>
public readonly record struct StepInstruction() : ICommand<StepInstruction>
{
    private static readonly CommandDescriptor StepDescriptor = new("core.step", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => StepDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}

/// <summary>Loads another game of the same console.</summary>
/// <param name="Path">The file, below a folder that the script allows.</param>
/// <param name="Reset">Whether it starts from the beginning, which is what almost every game needs.</param>
public readonly record struct LoadRom(string Path, bool Reset = true) : ICommand<LoadRom>, IFileCommand
{
    private static readonly CommandDescriptor LoadDescriptor = new("rom.load", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => LoadDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Path));
        if (!Reset)
        {
            head.Named("reset"u8, false);
        }
    }
}

/// <summary>Uses another file for the game's save data.</summary>
/// <param name="Path">The file, below a folder that the script allows. It is created if it does not exist.</param>
/// <param name="Temporary">Whether what the game saves is not written back.</param>
public readonly record struct LoadSave(string Path, bool Temporary) : ICommand<LoadSave>, IFileCommand
{
    private static readonly CommandDescriptor LoadDescriptor = new("save.load", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => LoadDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Path));
        head.Boolean(Temporary);
    }
}

/// <summary>Loads the save file that belongs to the game.</summary>
public readonly record struct AutoloadSave() : ICommand<AutoloadSave>
{
    private static readonly CommandDescriptor AutoloadDescriptor = new("save.autoload", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => AutoloadDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}

/// <summary>Writes a line into mGBA's Scripting window.</summary>
/// <param name="Level">How it is shown.</param>
/// <param name="Text">The line.</param>
public readonly record struct WriteConsole(ConsoleLevel Level, string Text) : ICommand<WriteConsole>
{
    private static readonly CommandDescriptor LogDescriptor = new("console.log", CommandKind.Effect);
    private static readonly CommandDescriptor WarnDescriptor = new("console.warn", CommandKind.Effect);
    private static readonly CommandDescriptor ErrorDescriptor = new("console.error", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Level switch { ConsoleLevel.Log => LogDescriptor, ConsoleLevel.Warn => WarnDescriptor, _ => ErrorDescriptor };

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Text(Encoding.UTF8.GetBytes(Text));
}

/// <summary>How a line in mGBA's Scripting window is shown.</summary>
public enum ConsoleLevel
{
    Log,
    Warn,
    Error,
}
