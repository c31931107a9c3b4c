using System.Collections.Immutable;
using System.Numerics;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

/// <summary>Some of the ten keys.</summary>
/// <param name="Mask">Bit 0 is A, bit 1 B, then Select, Start, Right, Left, Up, Down, R and L.</param>
public readonly record struct KeySet(int Mask)
{
    /// <summary>All ten.</summary>
    public const int All = 0x3FF;

    /// <summary>What keys may be called, without a full stop.</summary>
    public const string NamesHint = "Keys are A, B, Select, Start, Right, Left, Up, Down, R and L";

    /// <summary>How keys are written in JSON.</summary>
    public const string ExpectedFormat = $"{NamesHint}; write [\"A\", \"Up\"] or \"A+Up\".";

    /// <summary>The names, in the order of the bits.</summary>
    public static ImmutableArray<string> Names { get; } = ["A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L"];

    /// <summary>How many keys.</summary>
    public int Count => BitOperations.PopCount((uint)Mask);

    /// <summary>Reads <c>Up+B</c>, in any case; empty text means no keys.</summary>
    /// <exception cref="FormatException">The text has another word.</exception>
    public static KeySet Parse(string text) => TryParse(text, out var keys) ? keys : throw new FormatException($"\"{text}\" are no keys. {NamesHint}; write Up+B for two.");

    /// <summary>The same, without an exception.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out KeySet keys)
    {
        keys = default;
        if (text.IsEmpty)
        {
            return true;
        }

        foreach (var part in text.Split('+'))
        {
            if (!TryAdd(ref keys, text[part].Trim()))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Adds the key with this name.</summary>
    public static bool TryAdd(ref KeySet keys, ReadOnlySpan<char> name)
    {
        for (var key = 0; key < Names.Length; key++)
        {
            if (name.Equals(Names[key], StringComparison.OrdinalIgnoreCase))
            {
                keys = new KeySet(keys.Mask | (1 << key));
                return true;
            }
        }

        return false;
    }

    /// <summary>Writes each key as one argument.</summary>
    public void WriteTo(ref HeadWriter head)
    {
        for (var mask = Mask; mask != 0; mask &= mask - 1)
        {
            head.Integer(BitOperations.TrailingZeroCount(mask));
        }
    }

    /// <summary>The names with plus signs between them.</summary>
    public override string ToString()
    {
        var mask = Mask;
        return string.Join('+', Names.Where((_, key) => ((mask >> key) & 1) != 0));
    }
}
