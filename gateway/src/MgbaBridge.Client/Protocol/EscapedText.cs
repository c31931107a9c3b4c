using System.Buffers;
using System.Globalization;

namespace MgbaBridge.Client.Protocol;

/// <summary>Texts of callers and files as people see them. Marks that turn the direction of writing would make a name look like another one.</summary>
internal static class EscapedText
{
    private static readonly SearchValues<char> Marks = SearchValues.Create(
    [
        .. Enumerable.Range(0, 0xA0).Select(static code => (char)code).Where(static code => char.IsControl(code) && code is not ('\t' or '\n')),
        '\u061C', '\u200E', '\u200F', '\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069',
    ]);

    /// <summary>The text with control characters and marks of direction as <c>\u202E</c>; tabs and line ends stay.</summary>
    public static string Of(string text) => !text.AsSpan().ContainsAny(Marks) ? text
        : string.Concat(text.Select(static letter => Marks.Contains(letter) ? string.Create(CultureInfo.InvariantCulture, $"\\u{(int)letter:X4}") : letter.ToString()));
}
