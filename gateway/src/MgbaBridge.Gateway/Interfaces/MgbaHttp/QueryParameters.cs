using System.Buffers;
using System.Globalization;
using System.Numerics;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>All parameters of the compatible paths, and how their text is read.</summary>
internal static class QueryParameters
{
    private const int MaxDomain = 32;

    private static readonly SearchValues<char> DomainLetters =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

    /// <summary>An address on the bus. It is cut to 32 bits, as in mGBA-http's script.</summary>
    public static readonly SingleParameter<long> Address = new("string", "address", static (parameter, text, ref binding) =>
        ReadNumber(parameter, text, ref binding) & uint.MaxValue)
    {
        Description = "An address on the game's bus, such as 0x02000000 or 33554432.",
        Example = "0x02000000",
    };

    /// <summary>An offset in a memory domain.</summary>
    public static readonly SingleParameter<long> Offset = new("string", "address", ReadNumber)
    {
        Description = "An offset from the domain's base, such as 0x10 or 16.",
        Example = "0x10",
    };

    /// <summary>How many bytes.</summary>
    public static readonly SingleParameter<long> Length = new("string", "length", ReadLength)
    {
        Description = $"How many bytes, 0..{Limits.Length}.",
        Example = "16",
    };

    /// <summary>A memory domain's id.</summary>
    public static readonly SingleParameter<string> Domain = new("string", "memoryDomain", ReadDomain)
    {
        Description = "A memory domain that /coreadapter/memory lists, such as wram.",
        Example = "wram",
    };

    /// <summary>A register's name.</summary>
    public static readonly SingleParameter<string> Register = Text(
        "regName", "A register: r0..r15, sp, lr, pc or cpsr; a Game Boy has a, b, c, d, e, f, h, l, bc, de, hl, af, pc and sp.", "r0");

    /// <summary>A file on the emulator's side.</summary>
    public static readonly SingleParameter<string> Path = Text(
        "path", "A file where the emulator runs, below a folder of MGBA_BRIDGE_FOLDERS.", "/games/other.gba");

    /// <summary>A line for mGBA's console.</summary>
    public static readonly SingleParameter<string> Message = Text("message", "What to write.", "hello");

    /// <summary>A save state's slot.</summary>
    public static readonly SingleParameter<int> Slot = new("string", "slot", static (parameter, text, ref binding) =>
        (int)Math.Clamp(ReadNumber(parameter, text, ref binding), int.MinValue, int.MaxValue))
    {
        Description = "A slot, 0..9.",
        Example = "1",
    };

    /// <summary>The parts of a save state.</summary>
    public static readonly SingleParameter<StateFlags> Flags = new("Nullable<int>", "flags", static (parameter, text, ref binding) =>
        (StateFlags)ReadInt(parameter, text, ref binding) & StateFlags.All)
    {
        Description = "What the state has in it: 1 screenshot, 2 save data, 4 cheats, 8 clock, 16 metadata, added up.",
        Example = "29",
    };

    /// <summary>A key by its number.</summary>
    public static readonly SingleParameter<int> Key = new("int", "key", ReadKey)
    {
        Description = "A key by its number: 0 A, 1 B, 2 Select, 3 Start, 4 Right, 5 Left, 6 Up, 7 Down, 8 R, 9 L. Or by its name, as before 0.8.",
        Example = "3",
    };

    /// <summary>Keys as bits.</summary>
    public static readonly SingleParameter<int> KeyBitmask = Int(
        "keyBitmask", "Keys added up: 1 A, 2 B, 4 Select, 8 Start, 16 Right, 32 Left, 64 Up, 128 Down, 256 R, 512 L.", "12");

    /// <summary>Keys as bits, under another name.</summary>
    public static readonly SingleParameter<int> Keys = Int("keys", KeyBitmask.Description, "12");

    /// <summary>How long a button is held.</summary>
    public static readonly SingleParameter<int> Duration = Int("duration", $"How many frames it stays down, {Limits.MinFrames}..{Limits.Frames}.", "30");

    /// <summary>A value for a byte or a register.</summary>
    public static readonly SingleParameter<int> Value = Int("value", "The value.", "255");

    /// <summary>A value for two or four bytes.</summary>
    public static readonly SingleParameter<uint> UnsignedValue = new("uint", "value", static (parameter, text, ref binding) =>
        uint.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) ? value : Unreadable<uint>(parameter, text, ref binding))
    {
        Description = "The value.",
        Example = "255",
    };

    /// <summary>The same for versions in which it has a sign.</summary>
    public static readonly SingleParameter<uint> AnyValue = new("int", "value", static (parameter, text, ref binding) =>
        long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) && value is >= int.MinValue and <= uint.MaxValue
            ? (uint)value
            : Unreadable<uint>(parameter, text, ref binding))
    {
        Description = UnsignedValue.Description,
        Example = UnsignedValue.Example,
    };

    /// <summary>Whether a save file stays as it is.</summary>
    public static readonly SingleParameter<bool> Temporary = new("bool", "temporary", static (parameter, text, ref binding) =>
        bool.TryParse(text, out var value) ? value : Unreadable<bool>(parameter, text, ref binding))
    {
        Description = "Whether the file stays as it is when the game saves.",
        Example = "false",
    };

    /// <summary>One button.</summary>
    public static readonly SingleParameter<KeySet> Button = new("ButtonEnum", "button", ReadButton)
    {
        OlderName = "key",
        Description = "A, B, Select, Start, Right, Left, Up, Down, R or L. Before 0.8 its name is key, which is understood too.",
        Example = "A",
    };

    /// <summary>Several buttons.</summary>
    public static readonly ButtonsParameter Buttons = new()
    {
        Description = "A, B, Select, Start, Right, Left, Up, Down, R or L; once for each button. Before 0.8 its name is keys, which is understood too.",
        Example = "A",
    };

    /// <summary>A button by its name in any case, or by its number.</summary>
    public static KeySet ReadButton(QueryParameter parameter, ReadOnlySpan<char> text, ref QueryBinding binding)
    {
        if (!Enum.TryParse<Button>(text, ignoreCase: true, out var button))
        {
            binding.RejectUnreadable(parameter, text);
        }
        else if (!Enum.IsDefined(button))
        {
            binding.RejectInScript($"{parameter.Name} is {text}; expected 0 to 9.");
        }

        return new KeySet((1 << (int)button) & KeySet.All);
    }

    private static SingleParameter<string> Text(string name, string description, string example) =>
        new("string", name, ReadText) { Description = description, Example = example };

    private static SingleParameter<int> Int(string name, string description, string example) =>
        new("int", name, ReadInt) { Description = description, Example = example };

    private static int ReadInt(QueryParameter parameter, ReadOnlySpan<char> text, ref QueryBinding binding) =>
        int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) ? value : Unreadable<int>(parameter, text, ref binding);

    private static int ReadKey(QueryParameter parameter, ReadOnlySpan<char> text, ref QueryBinding binding)
    {
        var keys = default(KeySet);
        return KeySet.TryAdd(ref keys, text) ? BitOperations.TrailingZeroCount(keys.Mask) : ReadInt(parameter, text, ref binding);
    }

    private static T Unreadable<T>(QueryParameter parameter, ReadOnlySpan<char> text, ref QueryBinding binding)
        where T : struct
    {
        binding.RejectUnreadable(parameter, text);
        return default;
    }

    private static string ReadText(QueryParameter parameter, ReadOnlySpan<char> text, ref QueryBinding binding)
    {
        if (text.IsEmpty)
        {
            binding.RejectInScript($"{parameter.Name} is empty.");
        }

        return text.ToString();
    }

    private static string ReadDomain(QueryParameter parameter, ReadOnlySpan<char> text, ref QueryBinding binding)
    {
        if (text.Length > MaxDomain || text.ContainsAnyExcept(DomainLetters))
        {
            binding.RejectInScript($"{parameter.Name} is \"{text}\", which is not a memory domain; /coreadapter/memory lists the domains.");
            return "";
        }

        return ReadText(parameter, text, ref binding);
    }

    private static long ReadLength(QueryParameter parameter, ReadOnlySpan<char> text, ref QueryBinding binding)
    {
        var length = ReadNumber(parameter, text, ref binding);
        if (length is < 0 or > Limits.Length)
        {
            binding.RejectTooLarge($"length is {text}; expected 0 to {Limits.Length} bytes.");
        }

        return length;
    }

    /// <summary>A number in the syntax of Lua, to which mGBA-http passes its text: <c>0x10</c>, <c>16</c>, <c>-1</c>, <c>1e3</c>.</summary>
    private static long ReadNumber(QueryParameter parameter, ReadOnlySpan<char> text, ref QueryBinding binding)
    {
        var digits = text.Trim();
        var isNegative = digits.StartsWith('-');
        var isHex = digits[(isNegative ? 1 : 0)..].StartsWith("0x", StringComparison.OrdinalIgnoreCase);
        if (isHex && long.TryParse(digits[(isNegative ? 3 : 2)..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var number))
        {
            return isNegative ? -number : number;
        }

        if (!isHex && long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number))
        {
            return number;
        }

        if (!isHex && double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out var real) && Math.Abs(real) < Wire.MaxId)
        {
            return (long)real;
        }

        binding.RejectInScript($"{parameter.Name} is \"{text}\"; expected a number such as 0x02000000 or 33554432.");
        return 0;
    }
}
