using System.Globalization;
using System.Net;

namespace MgbaBridge.Gateway.Benchmarks.Pictures;

/// <summary>A line chart as SVG text, of the same looks as loadtest/lib/picture.js.</summary>
internal sealed class LineChart(string title, string about, string xLabel, string yLabel, IReadOnlyList<Series> series)
{
    private const int Width = 760, Height = 420, Left = 64, Right = 170, Top = 76, Bottom = 52, NameHeight = 15, TickWidth = 34;

    private static readonly string[] Colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555"];

    /// <summary>Whether equal factors are equal lengths up; else the axis begins at 0.</summary>
    public bool IsLogUp { get; init; }

    public string Write()
    {
        var drawn = series.Select((one, i) => (one.Name, Points: one.Points.Where(point => point.Y > 0 || !IsLogUp).ToList(), Colour: Colours[i % Colours.Length]))
            .Where(one => one.Points.Count > 0).ToList();
        var ticks = drawn.SelectMany(one => one.Points.Select(point => point.X)).Distinct().Order().ToList();
        var marks = IsLogUp ? Powers(drawn.SelectMany(one => one.Points.Select(point => point.Y))) : Steps(drawn.SelectMany(one => one.Points.Select(point => point.Y)));
        var across = Scale(ticks, Left, Width - Right, ticks.Count > 0 && ticks[0] > 0 && ticks[^1] > 20 * ticks[0]);
        var up = Scale(marks, Height - Bottom, Top, IsLogUp);
        var lines = new List<string>
        {
            $"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {Width} {Height}\" width=\"{Width}\" height=\"{Height}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">",
            $"<rect width=\"{Width}\" height=\"{Height}\" fill=\"#ffffff\"/>",
            $"<text x=\"16\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{Escape(title)}</text><text x=\"16\" y=\"44\">{Escape(about)}</text>",
        };
        lines.AddRange(marks.Select(mark => $"<line x1=\"{Left}\" x2=\"{Width - Right}\" y1=\"{N(up(mark))}\" y2=\"{N(up(mark))}\" stroke=\"#dddddd\"/><text x=\"{Left - 8}\" y=\"{N(up(mark) + 4)}\" text-anchor=\"end\">{Short(mark)}</text>"));
        lines.AddRange(Roomy(ticks, across).Select(tick => $"<text x=\"{N(across(tick))}\" y=\"{Height - Bottom + 18}\" text-anchor=\"middle\">{Short(tick)}</text>"));
        lines.Add($"<text x=\"{(Left + Width - Right) / 2}\" y=\"{Height - 12}\" text-anchor=\"middle\">{Escape(xLabel)}</text><text x=\"{Left - 8}\" y=\"{Top - 10}\" text-anchor=\"end\">{Escape(yLabel)}</text>");
        lines.AddRange(drawn.Select(one => Line(one.Points, one.Colour, across, up)));
        lines.AddRange(Names([.. drawn.Select(one => (one.Name, one.Colour, X: across(one.Points[^1].X) + 8, Y: up(one.Points[^1].Y)))]));
        return string.Join('\n', lines) + "\n</svg>\n";
    }

    private static string Line(List<(double X, double Y)> points, string colour, Func<double, double> across, Func<double, double> up)
    {
        var places = points.Select(point => (X: N(across(point.X)), Y: N(up(point.Y)))).ToList();
        return $"<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{string.Join(' ', places.Select(place => $"{place.X},{place.Y}"))}\"/>"
            + string.Concat(places.Select(place => $"<circle cx=\"{place.X}\" cy=\"{place.Y}\" r=\"3\" fill=\"{colour}\"/>"));
    }

    /// <summary>Each name behind the last point of its line, moved apart where two would touch.</summary>
    private static IEnumerable<string> Names(List<(string Name, string Colour, double X, double Y)> places)
    {
        var last = double.MinValue;
        foreach (var (name, colour, x, y) in places.OrderBy(place => place.Y))
        {
            last = Math.Max(y, last + NameHeight);
            yield return $"<text x=\"{N(x)}\" y=\"{N(last + 4)}\" fill=\"{colour}\" font-weight=\"bold\">{Escape(name)}</text>";
        }
    }

    private static Func<double, double> Scale(List<double> values, double from, double to, bool isLog)
    {
        Func<double, double> place = isLog ? Math.Log10 : static value => value;
        var low = values.Count > 0 ? place(values.Min()) : 0;
        var high = values.Count > 0 ? place(values.Max()) : 0;
        return value => high > low ? from + ((place(value) - low) / (high - low) * (to - from)) : (from + to) / 2;
    }

    private static List<double> Powers(IEnumerable<double> values)
    {
        var list = values.DefaultIfEmpty(1).ToList();
        var low = (int)Math.Floor(Math.Log10(list.Min()));
        var high = Math.Max((int)Math.Ceiling(Math.Log10(list.Max())), low + 1);
        return [.. Enumerable.Range(low, high - low + 1).Select(power => Math.Pow(10, power))];
    }

    private static List<double> Steps(IEnumerable<double> values)
    {
        var most = Math.Max(values.DefaultIfEmpty(1).Max(), 1e-9);
        var power = Math.Pow(10, Math.Floor(Math.Log10(most)));
        var step = new[] { 0.2, 0.5, 1, 2 }.Select(part => part * power).First(size => most / size <= 6);
        return [.. Enumerable.Range(0, (int)Math.Ceiling(most / step) + 1).Select(i => i * step)];
    }

    private static IEnumerable<double> Roomy(List<double> ticks, Func<double, double> across)
    {
        var last = double.MinValue;
        foreach (var tick in ticks.Where(tick => across(tick) - last >= TickWidth))
        {
            last = across(tick);
            yield return tick;
        }
    }

    private static string Short(double value) => value >= 1000 && value % 100 == 0 ? $"{(value / 1000).ToString("0.#", CultureInfo.InvariantCulture)}k" : value.ToString("0.###", CultureInfo.InvariantCulture);

    private static string N(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);

    private static string Escape(string text) => WebUtility.HtmlEncode(text);
}
