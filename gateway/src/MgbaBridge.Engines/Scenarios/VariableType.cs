using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Scenarios;

/// <summary>How a variable is stored: byte order, format and number of bytes, such as <c>&lt;u2</c>, <c>&gt;d4</c> or <c>|i1</c>.</summary>
public sealed class VariableType
{
    internal const string ExpectedFormat = "A type is a byte order (< > | =, or >< <> >= <= for 4 or 8 bytes), a format (u unsigned, i signed, d two decimal digits a byte, n one) and 1 to 8 bytes, such as \"<u2\" or \">d4\".";
    private const int MaxLength = 8;
    private const int Half = 4; // at least 2 bytes each

    private static readonly string[] Orders = ["><", "<>", ">=", "<=", ">", "<", "=", "|"];

    private readonly string _text;
    private readonly char _format;
    private readonly int[] _places; // of the bytes, the most significant first

    private VariableType(string text, char format, int[] places) => (_text, _format, _places) = (text, format, places);

    /// <summary>How many bytes it has.</summary>
    public int Length => _places.Length;

    /// <summary>The type of a number.</summary>
    public static VariableType Of(NumberType number, Endian endian)
    {
        var text = $"{(endian == Endian.Little ? '<' : '>')}{(number.Name()[0] == 'u' ? 'u' : 'i')}{number.Bytes()}";
        return TryParse(text, out var type) ? type : throw new ArgumentOutOfRangeException(nameof(number), number, null);
    }

    /// <summary>Reads a type.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out VariableType? type)
    {
        type = null;
        var order = Array.Find(Orders, order => text.StartsWith(order, StringComparison.Ordinal));
        if (order is null || text.Length != order.Length + 2 || !"uidn".Contains(text[^2], StringComparison.Ordinal) || text[^1] is < '1' or > (char)('0' + MaxLength))
        {
            return false;
        }

        var length = text[^1] - '0';
        if (order.Length == 2 && (length < Half || !int.IsPow2(length)))
        {
            return false;
        }

        var little = Enumerable.Range(0, length).Reverse();
        type = new VariableType(text, text[^2], [.. order switch
        {
            ">" => little.Reverse(),
            "><" or ">=" => little.Skip(length / 2).Concat(little.Take(length / 2)), // big halves of little bytes
            "<>" => little.Reverse().Skip(length / 2).Concat(little.Reverse().Take(length / 2)),
            _ => little,
        }]);
        return true;
    }

    /// <summary>Reads a value. A nibble beyond 9 of a decimal format counts what is beyond 10.</summary>
    public long Read(ReadOnlySpan<byte> memory)
    {
        var value = 0L;
        foreach (var place in _places)
        {
            var one = memory[place];
            value = _format switch
            {
                'd' => (100 * value) + (10 * Digit(one >> 4)) + Digit(one),
                'n' => (10 * value) + Digit(one),
                _ => (value << 8) | one,
            };
        }

        var unused = 8 * (sizeof(long) - _places.Length);
        return _format == 'i' ? value << unused >> unused : value;
    }

    /// <summary>The type as it is written.</summary>
    public override string ToString() => _text;

    private static int Digit(int nibble) => (nibble & 15) % 10;
}
