using System.Globalization;
using System.Text;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>How Prometheus spells what OpenTelemetry names: <c>a.b</c> in <c>s</c> is <c>a_b_seconds</c>, and what only grows ends in <c>_total</c>.</summary>
internal static class PrometheusText
{
    /// <summary>The name of an instrument.</summary>
    public static string NameOf(string name, string? unit, bool isCounter)
    {
        var spelled = Word(name);
        var suffix = unit switch
        {
            null or "" or "1" => "",
            "s" => "_seconds",
            "ms" => "_milliseconds",
            "By" => "_bytes",
            "%" => "_percent",
            // what is counted, such as {request}, is in the name already
            ['{', ..] => "",
            _ => "_" + Word(unit),
        };
        spelled = spelled.EndsWith(suffix, StringComparison.Ordinal) ? spelled : spelled + suffix;
        return isCounter && !spelled.EndsWith("_total", StringComparison.Ordinal) ? spelled + "_total" : spelled;
    }

    /// <summary>The tags between the braces, in the order of their names.</summary>
    public static string Labels(ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        string.Join(',', tags.ToArray().OrderBy(tag => tag.Key, StringComparer.Ordinal).Select(tag => $"{Word(tag.Key)}=\"{Value(tag.Value)}\""));

    /// <summary>A description, on one line.</summary>
    public static string Help(string text) => text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);

    /// <summary>A number that reads back as the same.</summary>
    public static string Number(double value) =>
        double.IsPositiveInfinity(value) ? "+Inf" : double.IsNegativeInfinity(value) ? "-Inf" : value.ToString(CultureInfo.InvariantCulture);

    private static string Value(object? value)
    {
        var text = value switch
        {
            true => "true",
            false => "false",
            _ => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "",
        };
        return Help(text).Replace("\"", "\\\"", StringComparison.Ordinal);
    }

    // letters, digits and underscores, and no digit first
    private static string Word(string name)
    {
        var word = new StringBuilder(name.Length + 1);
        foreach (var letter in name)
        {
            word.Append(char.IsAsciiLetterOrDigit(letter) ? letter : '_');
        }

        return word.Length > 0 && char.IsAsciiDigit(word[0]) ? word.Insert(0, '_').ToString() : word.ToString();
    }
}
