using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;

namespace MgbaBridge.Client.Commands;

public readonly partial record struct LoadState
{
    private readonly (ReadOnlySequence<byte> State, string? Problem) _unpacked = StateContainer.Unpack(State);

    /// <summary>The raw state.</summary>
    public ReadOnlySequence<byte> State => _unpacked.State;

    /// <summary>What is wrong with the file that the state is packed in; null for nothing.</summary>
    public string? Problem => _unpacked.Problem;

    /// <summary>The platform and the CRC32 of the ROM that the state is of, as its head has them; null for what is no state of mGBA.</summary>
    public (string Platform, uint Crc32)? Rom
    {
        get
        {
            Span<byte> head = stackalloc byte[12];
            if (State.Length < head.Length)
            {
                return null;
            }

            State.Slice(0, head.Length).CopyTo(head);
            return (BinaryPrimitives.ReadUInt32LittleEndian(head) & 0xFFFF_FF00) switch // the last byte is a version
            {
                0x0100_0000 => ("gba", BinaryPrimitives.ReadUInt32LittleEndian(head[8..])),
                0x0040_0000 => ("gb", BinaryPrimitives.ReadUInt32LittleEndian(head[4..])),
                _ => null,
            };
        }
    }

    public static CommandFailure? FailureOf(in LoadState command) => command.Problem is { } problem ? new CommandFailure(CommandFailureKind.Rejected, problem) { Code = ErrorCode.NotAState } : null;
}

/// <summary>Whether a state is saved or loaded.</summary>
public enum StateMove
{
    /// <summary>Saves the state.</summary>
    Save,

    /// <summary>Loads the state.</summary>
    Load,
}

/// <summary>The parts of a save state besides the machine.</summary>
[Flags]
[SuppressMessage("Naming", "CA1711", Justification = "flags is what mGBA and its users call them")]
public enum StateFlags
{
    None = 0,
    Screenshot = 1,
    SaveData = 2,
    Cheats = 4,
    Clock = 8,
    Metadata = 16,

    /// <summary>The default parts for loading: not the save data, which would undo what the game has saved since, and no cheats.</summary>
    DefaultForLoad = Screenshot | Clock | Metadata,

    /// <summary>Everything.</summary>
    All = Screenshot | SaveData | Cheats | Clock | Metadata,
}
