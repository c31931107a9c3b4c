using System.Diagnostics;
using System.Globalization;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>How long the caller is willing to wait: <c>Prefer: wait=30</c>, in seconds, as RFC 7240 has it.</summary>
internal static class Preference
{
    private const string Header = "Prefer";
    private const string Applied = "Preference-Applied";
    private const string Wait = "wait=";
    private const int MaxLength = 3_600;

    private static readonly object Began = new();

    /// <summary>The time, if a caller gave one that can be; others are ignored, as the RFC says.</summary>
    public static TimeSpan? WaitOf(HttpContext http)
    {
        if (!http.Request.Headers.TryGetValue(Header, out var given))
        {
            return null;
        }

        foreach (var part in given.ToString().Split(',', ';').Select(part => part.Trim()))
        {
            if (part.StartsWith(Wait, StringComparison.OrdinalIgnoreCase)
                && int.TryParse(part.AsSpan(Wait.Length), NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)
                && seconds is > 0 and <= MaxLength)
            {
                http.Response.Headers[Applied] = string.Create(CultureInfo.InvariantCulture, $"{Wait}{seconds}");
                http.Items.TryAdd(Began, Stopwatch.GetTimestamp());
                return TimeSpan.FromSeconds(seconds);
            }
        }

        return null;
    }

    /// <summary>What is left of this time since it was first read; nothing if the caller gave none.</summary>
    public static TimeSpan LeftOf(HttpContext http) => WaitOf(http) is { } wait ? wait - Stopwatch.GetElapsedTime((long)http.Items[Began]!) : TimeSpan.Zero;
}
