using System.Globalization;

namespace MgbaBridge.Gateway.Compatibility;

/// <summary>A version of mGBA-http, and what it writes or reads otherwise than the newest one. docs/compatibility.md lists all differences.</summary>
/// <param name="Minor">The number after <c>0.</c></param>
/// <param name="Patch">The number after that; the last patch where none is given.</param>
internal readonly record struct MgbaHttpVersion(int Minor, int Patch)
{
    private const int NewestMinor = 10;

    /// <summary>Bytes go out as they are, as UTF-8 text with replacement characters; from 0.4 on as a list.</summary>
    public bool WritesRawText => Minor < 4;

    /// <summary>Bytes, registers and names of domains are JSON.</summary>
    public bool WritesJson => Minor is >= 4 and < 8;

    /// <summary>Whether <c>/mgba-http/extension/loadfile</c> answers <c>true</c>.</summary>
    public bool TellsWhetherAGameLoaded => Minor >= 8;

    /// <summary>16 and 32 bit values to write have a sign.</summary>
    public bool TakesSignedValues => Minor < 8 || (Minor == 8 && Patch < 1);

    /// <summary>Reads <c>0.7</c> or <c>0.8.1</c>.</summary>
    public static bool TryParse(string text, out MgbaHttpVersion version)
    {
        var parts = text.Split('.');
        Span<int> numbers = [-1, -1, int.MaxValue];
        for (var part = 0; part < parts.Length; part++)
        {
            if (part >= numbers.Length || !int.TryParse(parts[part], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[part]))
            {
                version = default;
                return false;
            }
        }

        version = new MgbaHttpVersion(numbers[1], numbers[2]);
        return numbers[0] == 0 && version.Minor is >= 1 and <= NewestMinor;
    }
}
