using System.Globalization;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Api.Screen;

/// <summary>How often a viewer may be shown the picture.</summary>
internal static class PictureRates
{
    /// <summary>Pictures a second by default.</summary>
    public const double Default = 10;

    /// <summary>The parameter.</summary>
    public static Parameter<double> Parameter { get; } = Operations.Parameter.Number(PictureStream.RateQuery, Min, Max, "How many pictures a second at most.").Or(Default) with { Example = "5" };

    /// <summary>The error for other rates.</summary>
    public const string ExpectedFormat = "fps is how many pictures a second at most, 0.1 to 60.";

    private const double Min = 0.1;
    private const double Max = 60;

    /// <summary>Whether it is one.</summary>
    public static bool IsValid(double fps) => fps is >= Min and <= Max;

    /// <summary>Reads what a caller wrote; nothing is the usual rate.</summary>
    public static bool TryParse(string? text, out double fps)
    {
        fps = Default;
        return string.IsNullOrEmpty(text) || (double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out fps) && IsValid(fps));
    }
}
