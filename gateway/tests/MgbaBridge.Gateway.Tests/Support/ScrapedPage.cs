using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Reads a page of Prometheus' text format 0.0.4 line by line, and fails on whatever is none.</summary>
internal sealed partial class ScrapedPage
{
    private readonly Dictionary<string, string> _help = [];
    private readonly Dictionary<string, string> _types = [];
    private readonly Dictionary<string, double> _values = [];

    public IReadOnlyCollection<string> Families => _types.Keys;

    public static ScrapedPage Parse(string text)
    {
        Assert.EndsWith("\n", text, StringComparison.Ordinal);
        var page = new ScrapedPage();
        var family = "";
        foreach (var line in text[..^1].Split('\n'))
        {
            if (Comment().Match(line) is { Success: true } comment)
            {
                family = comment.Groups[2].Value;
                Assert.True((comment.Groups[1].Value == "HELP" ? page._help : page._types).TryAdd(family, comment.Groups[3].Value), $"{line} is there twice");
            }
            else
            {
                page.Sample(line, family);
            }
        }

        return page;
    }

    public string TypeOf(string family) => _types[family];

    public string HelpOf(string family) => _help[family];

    public double Value(string name, params (string Name, string Value)[] labels) => _values[Key(name, labels)];

    public double ValueOr0(string name, params (string Name, string Value)[] labels) => _values.GetValueOrDefault(Key(name, labels));

    /// <summary>The sum over all that have these labels, whatever others they have.</summary>
    public double Sum(string name, params string[] labels) =>
        _values.Where(value => value.Key.StartsWith(name + "{", StringComparison.Ordinal) && labels.All(label => value.Key.Contains(label, StringComparison.Ordinal)))
            .Sum(value => value.Value);

    private static string Key(string name, IEnumerable<(string Name, string Value)> labels) =>
        $"{name}{{{string.Join(';', labels.Order().Select(label => $"{label.Name}={label.Value}"))}}}";

    private void Sample(string line, string family)
    {
        var match = SampleLine().Match(line);
        Assert.True(match.Success, $"This line does not match the format: {line}");
        var name = match.Groups[1].Value;
        string[] allowed = _types[family] == "histogram" ? [$"{family}_bucket", $"{family}_sum", $"{family}_count"] : [family];
        Assert.Contains(name, allowed);
        Assert.Contains(_types[family], new[] { "counter", "gauge", "histogram" });
        var labels = Label().Matches(match.Groups[2].Value).Select(label => (label.Groups[1].Value, Unescape(label.Groups[2].Value)));
        var value = match.Groups[3].Value == "+Inf" ? double.PositiveInfinity : double.Parse(match.Groups[3].Value, CultureInfo.InvariantCulture);
        Assert.True(_values.TryAdd(Key(name, labels), value), $"{line} is there twice");
    }

    private static string Unescape(string text)
    {
        var read = new StringBuilder();
        for (var at = 0; at < text.Length; at++)
        {
            read.Append(text[at] != '\\' ? text[at] : text[++at] == 'n' ? '\n' : text[at]);
        }

        return read.ToString();
    }

    [GeneratedRegex("""^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$""")]
    private static partial Regex Comment();

    [GeneratedRegex("""^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (\S+)$""")]
    private static partial Regex SampleLine();

    [GeneratedRegex("""([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)""")]
    private static partial Regex Label();
}
