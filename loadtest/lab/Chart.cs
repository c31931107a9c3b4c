using System.Globalization;
using System.Net;
using System.Text;

namespace MgbaBridge.Lab;

/// <summary>A line chart with two logarithmic axes, as SVG.</summary>
internal sealed class Chart(string title, string x, string y)
{
    private const int Width = 760, Height = 420, Left = 80, Right = 170, Top = 50, Bottom = 55;
    private static readonly string[] Colours = ["#3b6fd4", "#d4553b", "#2f9e62", "#8b5bd6", "#c8902a", "#4b5563"];

    private readonly List<(string Name, List<(double X, double Y)> Points)> _lines = [];

    public void Add(string line, double xValue, double yValue)
    {
        if (_lines.Find(one => one.Name == line).Points is not { } points)
        {
            _lines.Add((line, points = []));
        }

        if (xValue > 0 && yValue > 0)
        {
            points.Add((xValue, yValue));
        }
    }

    public void Write(string file)
    {
        var all = _lines.SelectMany(line => line.Points).ToList();
        if (all.Count == 0)
        {
            throw new MeasurementException($"the chart \"{title}\" has no points");
        }

        var (minX, maxX) = (all.Min(point => point.X), all.Max(point => point.X));
        var (minY, maxY) = (Math.Pow(10, Math.Floor(Math.Log10(all.Min(point => point.Y)))), Math.Pow(10, Math.Ceiling(Math.Log10(all.Max(point => point.Y)))));
        double PlaceX(double value) => Left + (Width - Left - Right) * Part(value, minX, maxX);
        double PlaceY(double value) => Height - Bottom - (Height - Top - Bottom) * Part(value, minY, maxY);

        var svg = new StringBuilder();
        void Add(FormattableString text) => svg.Append(text.ToString(CultureInfo.InvariantCulture)).Append('\n');
        Add($"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {Width} {Height}\" font-family=\"sans-serif\" font-size=\"12\">");
        Add($"<rect width=\"{Width}\" height=\"{Height}\" fill=\"#fff\"/><text x=\"{Left}\" y=\"28\" font-size=\"16\" font-weight=\"600\">{WebUtility.HtmlEncode(title)}</text>");
        for (var value = minY; value <= maxY * 1.001; value *= 10)
        {
            Add($"<path d=\"M{Left} {PlaceY(value):0.#}H{Width - Right}\" stroke=\"#e2e5ea\"/><text x=\"{Left - 8}\" y=\"{PlaceY(value) + 4:0.#}\" text-anchor=\"end\">{Short(value)}</text>");
        }

        foreach (var value in all.Select(point => point.X).Distinct().Order())
        {
            Add($"<path d=\"M{PlaceX(value):0.#} {Height - Bottom}v5\" stroke=\"#8b93a1\"/><text x=\"{PlaceX(value):0.#}\" y=\"{Height - Bottom + 20}\" text-anchor=\"middle\">{Short(value)}</text>");
        }

        Add($"<text x=\"{(Left + Width - Right) / 2}\" y=\"{Height - 12}\" text-anchor=\"middle\">{WebUtility.HtmlEncode(x)}</text>");
        Add($"<text transform=\"translate(18 {(Top + Height - Bottom) / 2}) rotate(-90)\" text-anchor=\"middle\">{WebUtility.HtmlEncode(y)}</text>");
        foreach (var (index, (name, points)) in _lines.Index())
        {
            var colour = Colours[index % Colours.Length];
            var line = string.Join(' ', points.OrderBy(point => point.X).Select(point => string.Create(CultureInfo.InvariantCulture, $"{PlaceX(point.X):0.#},{PlaceY(point.Y):0.#}")));
            Add($"<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
            Add($"<rect x=\"{Width - Right + 16}\" y=\"{Top + (index * 22)}\" width=\"12\" height=\"12\" fill=\"{colour}\"/><text x=\"{Width - Right + 34}\" y=\"{Top + 10 + (index * 22)}\">{WebUtility.HtmlEncode(name)}</text>");
        }

        Add($"</svg>");
        File.WriteAllText(file, svg.ToString());
    }

    private static double Part(double value, double min, double max) => max <= min ? 0.5 : Math.Log(value / min) / Math.Log(max / min);

    private static string Short(double value) => value switch
    {
        >= 1e6 => (value / 1e6).ToString("0.#", CultureInfo.InvariantCulture) + "M",
        >= 1e4 => (value / 1e3).ToString("0.#", CultureInfo.InvariantCulture) + "k",
        _ => value.ToString("0.###", CultureInfo.InvariantCulture),
    };
}
