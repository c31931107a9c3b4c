using System.Text;

namespace MgbaBridge.Gateway.Interfaces.RetroArch;

/// <summary>What a command of RetroArch's Network Control Interface does.</summary>
internal enum RetroArchVerb
{
    /// <summary>None that is served, or one with wrong arguments: it has no answer.</summary>
    None,
    Version,
    GetStatus,
    GetConfigParam,
    ReadCoreMemory,
    WriteCoreMemory,
    ReadCoreRam,
    ShowMsg,
    PauseToggle,
    FrameAdvance,
    Reset,
    SaveState,
    LoadState,
    StateSlotPlus,
    StateSlotMinus,
    LoadStateSlot,
}

/// <summary>One command of a datagram.</summary>
/// <param name="Verb">What it does.</param>
/// <param name="Address">The address of memory; of a slot, its number.</param>
/// <param name="Count">How many bytes are read or written.</param>
/// <param name="Argument">The rest of the command: a text, or the bytes to write.</param>
internal readonly record struct RetroArchCommand(RetroArchVerb Verb, uint Address = 0, int Count = 0, ReadOnlyMemory<byte> Argument = default)
{
    // hexadecimal digits and spaces of a reply that fits in a datagram
    private const int MaxRead = (65_507 - 32) / 3;

    /// <summary>The highest slot for states.</summary>
    internal const int MaxSlot = 999;

    // by verb
    private static readonly string[] Names =
    [
        "", "VERSION", "GET_STATUS", "GET_CONFIG_PARAM", "READ_CORE_MEMORY", "WRITE_CORE_MEMORY", "READ_CORE_RAM", "SHOW_MSG",
        "PAUSE_TOGGLE", "FRAMEADVANCE", "RESET", "SAVE_STATE", "LOAD_STATE", "STATE_SLOT_PLUS", "STATE_SLOT_MINUS", "LOAD_STATE_SLOT",
    ];

    /// <summary>Its name in the protocol.</summary>
    public string Name => Names[(int)Verb];

    /// <summary>Whether several of it in one datagram count as one: a key of RetroArch, which is down for a frame.</summary>
    public bool IsHotkey => Verb is >= RetroArchVerb.PauseToggle and <= RetroArchVerb.StateSlotMinus;

    /// <summary>Reads a command.</summary>
    public static RetroArchCommand Parse(ReadOnlyMemory<byte> line)
    {
        var space = line.Span.IndexOf((byte)' ');
        var name = (space < 0 ? line : line[..space]).Span.TrimEnd((byte)'\r');
        var rest = space < 0 ? default : line[(space + 1)..];
        var verb = RetroArchVerb.None;
        for (var index = 1; index < Names.Length; index++)
        {
            verb = Ascii.Equals(name, Names[index]) ? (RetroArchVerb)index : verb;
        }

        return verb switch
        {
            RetroArchVerb.ReadCoreMemory or RetroArchVerb.ReadCoreRam => ParseRead(verb, rest.Span),
            RetroArchVerb.WriteCoreMemory => ParseWrite(rest),
            RetroArchVerb.LoadStateSlot => ParseSlot(rest.Span),
            RetroArchVerb.ShowMsg when rest.TrimEnd((byte)'\r').IsEmpty => default,
            _ => new(verb, Argument: rest.TrimEnd((byte)'\r')),
        };
    }

    /// <summary>The first bytes of a write.</summary>
    public void CopyBytes(Span<byte> bytes)
    {
        var rest = Argument.Span;
        for (var index = 0; index < bytes.Length; index++)
        {
            _ = TryReadHex(ref rest, out var value);
            bytes[index] = (byte)value;
        }
    }

    private static RetroArchCommand ParseRead(RetroArchVerb verb, ReadOnlySpan<byte> rest) =>
        TryReadHex(ref rest, out var address) && TryReadDecimal(rest, out var count) && count <= MaxRead ? new(verb, address, (int)count) : default;

    private static RetroArchCommand ParseSlot(ReadOnlySpan<byte> rest) =>
        TryReadDecimal(rest, out var slot) && slot <= MaxSlot ? new(RetroArchVerb.LoadStateSlot, (uint)slot) : default;

    private static RetroArchCommand ParseWrite(ReadOnlyMemory<byte> rest)
    {
        var left = rest.Span;
        if (!TryReadHex(ref left, out var address))
        {
            return default;
        }

        var bytes = rest[(rest.Length - left.Length)..];
        var count = 0;
        while (!left.Trim(" \r"u8).IsEmpty)
        {
            if (!TryReadHex(ref left, out _))
            {
                return default;
            }

            count++;
        }

        return new(RetroArchVerb.WriteCoreMemory, address, count, bytes);
    }

    // 2000008 or 0x2000008, after any spaces and up to one; of a longer number the lowest 32 bits
    private static bool TryReadHex(ref ReadOnlySpan<byte> text, out uint value)
    {
        value = 0;
        text = text.TrimStart((byte)' ');
        if (text.StartsWith("0x"u8) || text.StartsWith("0X"u8))
        {
            text = text[2..];
        }

        var length = 0;
        while (length < text.Length && char.IsAsciiHexDigit((char)text[length]))
        {
            value = (value << 4) | (uint)HexDigit(text[length]);
            length++;
        }

        text = text[length..];
        return length > 0 && (text.IsEmpty || text[0] is (byte)' ' or (byte)'\r');
    }

    private static int HexDigit(byte digit) => digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;

    private static bool TryReadDecimal(ReadOnlySpan<byte> text, out long value)
    {
        value = 0;
        text = text.TrimStart((byte)' ');
        var length = 0;
        while (length < text.Length && length <= 10 && char.IsAsciiDigit((char)text[length]))
        {
            value = (value * 10) + (text[length++] - '0');
        }

        return length > 0;
    }
}
