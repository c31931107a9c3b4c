using System.Globalization;
using System.Text;

namespace MgbaBridge.Lab;

/// <summary>A report in Markdown.</summary>
internal sealed class Report
{
    private readonly StringBuilder _text = new();

    public Report(string title, string machine) => Line($"# {title}").Line($"{DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture)} UTC. {machine}");

    public Report Line(string text)
    {
        _text.Append(text).Append("\n\n");
        return this;
    }

    /// <summary>A heading, a sentence, and a table whose first column is text.</summary>
    public void Table(string heading, string sentence, IReadOnlyList<string> columns, IEnumerable<string[]> rows)
    {
        Line($"## {heading}").Line(sentence);
        _text.Append(CultureInfo.InvariantCulture, $"| {string.Join(" | ", columns)} |\n|---|{string.Concat(Enumerable.Repeat("---:|", columns.Count - 1))}\n");
        foreach (var row in rows)
        {
            _text.Append(CultureInfo.InvariantCulture, $"| {string.Join(" | ", row)} |\n");
        }

        _text.Append('\n');
    }

    public void Write(string file) => File.WriteAllText(file, _text.ToString().TrimEnd() + "\n");
}
