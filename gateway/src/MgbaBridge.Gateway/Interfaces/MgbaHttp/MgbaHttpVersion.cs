using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

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
    public bool ReportsLoadResult => Minor >= 8;

    /// <summary>A value of two or four bytes: unsigned, but signed too before 0.8.1.</summary>
    public Parameter<uint> Value() => Minor < 8 || (Minor == 8 && Patch < 1) ? QueryParameters.AnyValue : QueryParameters.UnsignedValue;

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

    /// <summary>A register: text, but JSON from 0.4 to 0.7.</summary>
    public MgbaHttpAnswer Register(int value) => WritesJson ? MgbaHttpAnswer.Json($"{value}") : MgbaHttpAnswer.Of(value);

    /// <summary>The ids of the memory domains with commas between, but a JSON array from 0.4 to 0.7.</summary>
    public MgbaHttpAnswer Domains(IEnumerable<MemoryDomain> domains) => WritesJson
        ? MgbaHttpAnswer.Json($"[{string.Join(',', domains.Select(domain => $"\"{domain.Id}\""))}]")
        : MgbaHttpAnswer.OfText(string.Join(',', domains.Select(domain => domain.Id)));

    /// <summary>Success in loading a game: <c>true</c>, but nothing before 0.8.</summary>
    public MgbaHttpAnswer Loaded() => ReportsLoadResult ? MgbaHttpAnswer.True : MgbaHttpAnswer.Nothing;
}
