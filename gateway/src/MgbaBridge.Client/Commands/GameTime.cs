using System.Globalization;

namespace MgbaBridge.Client.Commands;

/// <summary>Times that the clocks of cartridges hold.</summary>
public static class GameTime
{
    /// <summary>What they are.</summary>
    public const string ExpectedFormat = "a time from 2000 to 2099 without a zone, such as 2026-01-01T12:00:00";

    private static readonly string[] Formats = ["yyyy-MM-ddTHH:mm", "yyyy-MM-ddTHH:mm:ss"];

    /// <summary>Reads one.</summary>
    public static bool TryParse(string text, out DateTime time) =>
        DateTime.TryParseExact(text, Formats, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out time) && time.Year is >= 2000 and <= 2099;
}
