using System.Globalization;

namespace MgbaBridge.Client.Commands;

/// <summary>Integers as people write them: decimal, or hexadecimal with <c>0x</c>.</summary>
internal static class IntegerText
{
    /// <summary>Reads one.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out long value) => text.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
        ? long.TryParse(text[2..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value)
        : long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value);
}
