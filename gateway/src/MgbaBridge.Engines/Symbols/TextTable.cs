using System.Globalization;
using System.Text;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The text that each byte represents in a game. Other bytes are written <c>{HH}</c>.</summary>
public sealed class TextTable
{
    private const string Unknown = "{HH}";

    private readonly string?[] _texts;
    private readonly (string Text, byte Code)[] _longestFirst;

    /// <summary>Makes a table.</summary>
    /// <param name="codes">The text that each byte represents.</param>
    /// <param name="end">The byte that ends a text, if there is one.</param>
    public TextTable(IEnumerable<KeyValuePair<byte, string>> codes, byte? end)
    {
        End = end;
        _texts = new string?[256];
        foreach (var (code, text) in codes)
        {
            _texts[code] = text;
        }

        MaxText = Math.Max(Unknown.Length, _texts.Max(text => text?.Length ?? 0));
        _longestFirst = [.. _texts.Select((text, code) => (text!, (byte)code)).Where(pair => !string.IsNullOrEmpty(pair.Item1)).OrderByDescending(pair => pair.Item1.Length).ThenBy(pair => pair.Item2)];
    }

    /// <summary>The name of the table of ASCII.</summary>
    public const string AsciiName = "ascii";

    /// <summary>The letters of ASCII, ended by a zero.</summary>
    public static TextTable Ascii { get; } = new(Enumerable.Range(' ', '~' - ' ' + 1).Select(code => KeyValuePair.Create((byte)code, ((char)code).ToString())), 0);

    /// <summary>The byte that ends a text, if there is one.</summary>
    public byte? End { get; }

    /// <summary>The most characters that a byte takes in a text.</summary>
    public int MaxText { get; }

    /// <summary>The text of these bytes, up to the one that ends it.</summary>
    public string Decode(ReadOnlySpan<byte> bytes)
    {
        var text = new StringBuilder(bytes.Length);
        foreach (var code in bytes)
        {
            if (code == End)
            {
                break;
            }

            text.Append(_texts[code] ?? $"{{{code:X2}}}");
        }

        return text.ToString();
    }

    /// <summary>Writes a text and fills what is left with the byte that ends it, or zeros. Returns what is wrong, or null.</summary>
    public string? Encode(string text, Span<byte> bytes)
    {
        var rest = text.AsSpan();
        var written = 0;
        while (!rest.IsEmpty)
        {
            if (!TryNext(ref rest, out var code))
            {
                return $"The text table has nothing for \"{rest[0]}\" at place {text.Length - rest.Length + 1}; a byte can be written {{HH}}.";
            }

            if (written == bytes.Length)
            {
                return $"The text has more than the {bytes.Length} bytes that there are.";
            }

            bytes[written++] = code;
        }

        bytes[written..].Fill(End ?? 0);
        return null;
    }

    private bool TryNext(ref ReadOnlySpan<char> rest, out byte code)
    {
        if (rest is ['{', _, _, '}', ..] && byte.TryParse(rest[1..3], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code))
        {
            rest = rest[4..];
            return true;
        }

        foreach (var (text, known) in _longestFirst)
        {
            if (rest.StartsWith(text, StringComparison.Ordinal))
            {
                code = known;
                rest = rest[text.Length..];
                return true;
            }
        }

        code = 0;
        return false;
    }
}
