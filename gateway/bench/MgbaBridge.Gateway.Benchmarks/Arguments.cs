using System.Globalization;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks;

/// <summary>Options of a subcommand, in pairs: --name value.</summary>
internal sealed class Arguments
{
    private readonly Dictionary<string, string> _given;

    public Arguments(string[] arguments)
    {
        if (arguments.Length % 2 != 0 || arguments.Where((_, i) => i % 2 == 0).Any(name => !name.StartsWith("--", StringComparison.Ordinal)))
        {
            throw new WireException("options come in pairs, --name value");
        }
        _given = arguments.Chunk(2).ToDictionary(pair => pair[0][2..], pair => pair[1]);
    }

    public string Text(string name, string? otherwise = null) =>
        _given.Remove(name, out var text) ? text : otherwise ?? throw new WireException($"--{name} is missing");

    public int Whole(string name, int otherwise) =>
        int.TryParse(Text(name, otherwise.ToString(CultureInfo.InvariantCulture)), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : throw new WireException($"--{name} must be a whole number");

    public int[] Wholes(string name, string otherwise) => Text(name, otherwise).Split(',').Select(part =>
        int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : throw new WireException($"--{name} must be whole numbers, separated by commas")).ToArray();

    /// <summary>To be called when all were taken: what is left was not meant.</summary>
    public void MustBeEmpty()
    {
        if (_given.Count > 0)
        {
            throw new WireException($"there is no option --{_given.Keys.First()}");
        }
    }
}
