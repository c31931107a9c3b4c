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
    // one more than the longest reply has: two digits and a space each, after READ_CORE_MEMORY and an address
    private const int MaxCount = ((RetroArchSession.MaxDatagram - 18) / 3) + 1;

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

    private static ReadOnlySpan<byte> WhiteSpace => " \t\v\f\r"u8;

    /// <summary>Whether several of it in one datagram count as one: a key of RetroArch, which is down for a frame.</summary>
    public bool IsHotkey => IsKey(Verb);

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
            _ when space >= 0 && IsKey(verb) => default,
            _ => new(verb, Argument: rest.TrimEnd((byte)'\r')),
        };
    }

    /// <summary>The first bytes of a write.</summary>
    public void CopyBytes(Span<byte> bytes)
    {
        var rest = Argument.Span;
        for (var index = 0; index < bytes.Length; index++)
        {
            _ = TryReadNumber(ref rest, 16, out var value);
            bytes[index] = (byte)value;
        }
    }

    private static bool IsKey(RetroArchVerb verb) => verb is >= RetroArchVerb.PauseToggle and <= RetroArchVerb.StateSlotMinus;

    private static RetroArchCommand ParseRead(RetroArchVerb verb, ReadOnlySpan<byte> rest) =>
        TryReadNumber(ref rest, 16, out var address) && TryReadNumber(ref rest, 10, out var count) ? new(verb, address, (int)Math.Min(count, MaxCount)) : default;

    private static RetroArchCommand ParseSlot(ReadOnlySpan<byte> rest) =>
        TryReadNumber(ref rest, 10, out var slot) && slot <= MaxSlot ? new(RetroArchVerb.LoadStateSlot, slot) : default;

    private static RetroArchCommand ParseWrite(ReadOnlyMemory<byte> rest)
    {
        var left = rest.Span;
        if (!TryReadHexWord(ref left, out var address))
        {
            return default;
        }

        var bytes = rest[(rest.Length - left.Length)..];
        var count = 0;
        while (!left.Trim(WhiteSpace).IsEmpty)
        {
            if (!TryReadHexWord(ref left, out _))
            {
                return default;
            }

            count++;
        }

        return new(RetroArchVerb.WriteCoreMemory, address, count, bytes);
    }

    private static bool TryReadHexWord(ref ReadOnlySpan<byte> text, out uint value) =>
        TryReadNumber(ref text, 16, out value) && (text.IsEmpty || WhiteSpace.Contains(text[0]));

    // as C does: after white space, with a sign or without; of a longer number the lowest 32 bits, and of one with more than 64 bits all ones
    private static bool TryReadNumber(ref ReadOnlySpan<byte> text, uint radix, out uint value)
    {
        text = text.TrimStart(WhiteSpace);
        var isNegative = text.StartsWith("-"u8);
        text = isNegative || text.StartsWith("+"u8) ? text[1..] : text;
        if (radix == 16 && (text.StartsWith("0x"u8) || text.StartsWith("0X"u8)))
        {
            text = text[2..];
        }

        var (length, number) = (0, 0UL);
        while (length < text.Length && char.IsAsciiHexDigit((char)text[length]) && HexDigit(text[length]) is var digit && digit < radix)
        {
            number = number > (ulong.MaxValue - digit) / radix ? ulong.MaxValue : (number * radix) + digit;
            length++;
        }

        text = text[length..];
        value = (uint)(isNegative ? 0 - number : number);
        return length > 0;
    }

    private static uint HexDigit(byte digit) => (uint)(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
}
