using System.Globalization;

namespace MgbaBridge.Measurement;

/// <summary>The options of a subcommand, as pairs: --name value. Each one is removed when it is read.</summary>
internal sealed class Arguments
{
    private readonly Dictionary<string, string> _given;

    public Arguments(string[] arguments)
    {
        if (arguments.Length % 2 != 0 || arguments.Where((_, i) => i % 2 == 0).Any(name => !name.StartsWith("--", StringComparison.Ordinal)))
        {
            throw new MeasurementException("options must be pairs: --name value");
        }
        _given = arguments.Chunk(2).ToDictionary(pair => pair[0][2..], pair => pair[1]);
    }

    public string Text(string name, string? defaultValue = null) =>
        _given.Remove(name, out var text) ? text : defaultValue ?? throw new MeasurementException($"--{name} is required");

    public int Integer(string name, int defaultValue) =>
        Parse(name, Text(name, defaultValue.ToString(CultureInfo.InvariantCulture)));

    /// <summary>Integers separated by commas.</summary>
    public int[] Integers(string name, string defaultValue) => [.. Text(name, defaultValue).Split(',').Select(part => Parse(name, part))];

    /// <summary>Call this when all options were read: fails when an unknown one is left.</summary>
    public void MustBeEmpty()
    {
        if (_given.Count > 0)
        {
            throw new MeasurementException($"unknown option --{_given.Keys.First()}");
        }
    }

    private static int Parse(string name, string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        ? number
        : throw new MeasurementException($"--{name}: \"{text}\" is not an integer; expected 0 to {int.MaxValue}");
}
