using System.Text.Json;

namespace MgbaBridge.Measurement;

/// <summary>
/// Descriptions of charts. scripts/lib/charts.py draws them as SVG, for these programs and for the k6 reports; the format is described there.
/// </summary>
internal static class Charts
{
    /// <summary>Writes NAME.charts.json into the folder.</summary>
    public static void Write(string folder, string name, params IEnumerable<object> charts) =>
        File.WriteAllText(Path.Combine(folder, name + ".charts.json"), JsonSerializer.Serialize(charts, Format.IndentedJson));
}

/// <summary>A line chart.</summary>
/// <param name="File">The SVG file, relative to the description.</param>
/// <param name="Title">The first line.</param>
/// <param name="Subtitle">The second line.</param>
/// <param name="X">The label of the horizontal axis.</param>
/// <param name="Y">The label of the vertical axis, usually the unit.</param>
/// <param name="Log">Whether the vertical axis is logarithmic; otherwise it starts at 0.</param>
/// <param name="Series">The lines.</param>
internal sealed record LineChart(string File, string Title, string Subtitle, string X, string Y, bool Log, IReadOnlyList<Series> Series)
{
    public string Type { get; init; } = "line";
}

/// <summary>One line of a chart; each point is [x, y].</summary>
internal sealed record Series(string Name, IReadOnlyList<double[]> Points);

/// <summary>Horizontal bars of equal length, each divided into its parts.</summary>
/// <param name="File">The SVG file, relative to the description.</param>
/// <param name="Title">The first line.</param>
/// <param name="Subtitle">The second line.</param>
/// <param name="Parts">The legend.</param>
/// <param name="Bars">The bars.</param>
internal sealed record StackedBars(string File, string Title, string Subtitle, IReadOnlyList<string> Parts, IReadOnlyList<Bar> Bars)
{
    public string Type { get; init; } = "stacked";
}

/// <summary>One bar: its parts in the order of the legend, and the text behind it.</summary>
internal sealed record Bar(string Name, string Total, IReadOnlyList<double> Parts);
