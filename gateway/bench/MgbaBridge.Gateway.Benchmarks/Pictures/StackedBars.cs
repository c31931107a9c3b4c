using System.Globalization;
using System.Net;

namespace MgbaBridge.Gateway.Benchmarks.Pictures;

/// <summary>Lying bars of equal length, each cut into the shares of its parts, as SVG text.</summary>
internal sealed class StackedBars(string title, string about, IReadOnlyList<string> parts, IReadOnlyList<Bar> bars)
{
    private const int Width = 860, Left = 250, Right = 90, Top = 96, BarHeight = 26, Step = 40;
    private const double RoomForText = 0.09; // of the bar's length

    private static readonly string[] Colours = ["#0072b2", "#d55e00", "#9fd8c4", "#dddddd"];
    private static readonly string[] Inks = ["#ffffff", "#ffffff", "#333333", "#333333"];

    public string Write()
    {
        var height = Top + (bars.Count * Step) + 8;
        var lines = new List<string>
        {
            $"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {Width} {height}\" width=\"{Width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">",
            $"<rect width=\"{Width}\" height=\"{height}\" fill=\"#ffffff\"/>",
            $"<text x=\"16\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{Escape(title)}</text><text x=\"16\" y=\"44\">{Escape(about)}</text>",
        };
        lines.AddRange(parts.Select((part, i) => $"<rect x=\"{Left + (i * 110)}\" y=\"62\" width=\"12\" height=\"12\" fill=\"{Colours[i]}\"/><text x=\"{Left + 18 + (i * 110)}\" y=\"72\">{Escape(part)}</text>"));
        lines.AddRange(bars.Select((bar, i) => Draw(bar, Top + (i * Step))));
        return string.Join('\n', lines) + "\n</svg>\n";
    }

    private static string Draw(Bar bar, int y)
    {
        var text = $"<text x=\"{Left - 10}\" y=\"{y + 17}\" text-anchor=\"end\">{Escape(bar.Name)}</text><text x=\"{Width - Right + 8}\" y=\"{y + 17}\">{Escape(bar.Total)}</text>";
        double x = Left, whole = Math.Max(bar.Parts.Sum(), 1e-9);
        for (var i = 0; i < bar.Parts.Count; i++)
        {
            var length = bar.Parts[i] / whole * (Width - Left - Right);
            text += $"<rect x=\"{N(x)}\" y=\"{y}\" width=\"{N(length)}\" height=\"{BarHeight}\" fill=\"{Colours[i]}\"/>";
            if (bar.Parts[i] / whole >= RoomForText)
            {
                text += $"<text x=\"{N(x + (length / 2))}\" y=\"{y + 17}\" text-anchor=\"middle\" fill=\"{Inks[i]}\">{bar.Parts[i].ToString(bar.Parts[i] < 1 ? "0.000" : "0.00", CultureInfo.InvariantCulture)}</text>";
            }
            x += length;
        }
        return text;
    }

    private static string N(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);

    private static string Escape(string text) => WebUtility.HtmlEncode(text);
}
