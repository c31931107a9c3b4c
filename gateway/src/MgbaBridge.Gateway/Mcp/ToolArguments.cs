using System.Text.Json;

namespace MgbaBridge.Gateway.Mcp;

/// <summary>The arguments of a call, checked against the parameters of the tool.</summary>
internal sealed class ToolArguments
{
    private readonly Dictionary<string, object> _values;

    private ToolArguments(Dictionary<string, object> values) => _values = values;

    /// <summary>Checks arguments.</summary>
    /// <exception cref="ToolException">With what is wrong, and what is expected.</exception>
    public static ToolArguments Read(string tool, IReadOnlyList<ToolParameter> parameters, IEnumerable<KeyValuePair<string, JsonElement>>? given)
    {
        var values = new Dictionary<string, object>(StringComparer.Ordinal);
        foreach (var (name, value) in given ?? [])
        {
            var parameter = parameters.FirstOrDefault(parameter => parameter.Name == name)
                ?? throw new ToolException($"{tool} has no argument {Shown(name)}.", $"Use only {string.Join(", ", parameters.Select(parameter => parameter.Name))}.");
            if (value.ValueKind != JsonValueKind.Null)
            {
                values[name] = Read(parameter, value);
            }
        }

        var missing = parameters.FirstOrDefault(parameter => parameter.IsRequired && !values.ContainsKey(parameter.Name));
        return missing is null ? new ToolArguments(values) : throw new ToolException($"{tool} needs the argument {missing.Name}.", missing.Description);
    }

    /// <summary>A text, or null when it is not given.</summary>
    public string? Text(string name) => (string?)_values.GetValueOrDefault(name);

    /// <summary>A list of texts, or null when it is not given.</summary>
    public IReadOnlyList<string>? Texts(string name) => (IReadOnlyList<string>?)_values.GetValueOrDefault(name);

    /// <summary>An integer, or null when it is not given.</summary>
    public long? Integer(string name) => (long?)_values.GetValueOrDefault(name);

    /// <summary>Whether it is given as true.</summary>
    public bool Flag(string name) => _values.GetValueOrDefault(name) is true;

    private static object Read(ToolParameter parameter, JsonElement value)
    {
        object? read = parameter.Kind switch
        {
            ArgumentKind.Text => TextOf(value),
            ArgumentKind.Integer when value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out var number) => number,
            ArgumentKind.Boolean when value.ValueKind is JsonValueKind.True or JsonValueKind.False => value.GetBoolean(),
            ArgumentKind.Texts when value.ValueKind == JsonValueKind.Array && value.GetArrayLength() <= parameter.MaxItems => TextsOf(value),
            _ => null,
        };
        var isValid = read switch
        {
            string text => text.Length <= parameter.MaxLength && (parameter.Choices.Count == 0 || parameter.Choices.Contains(text)),
            long number => number >= parameter.Min && number <= parameter.Max,
            IReadOnlyList<string> texts => texts.All(text => text.Length <= parameter.MaxLength),
            null => false,
            _ => true,
        };
        return isValid ? read! : throw new ToolException($"{parameter.Name} is {Shown(value.GetRawText())}; expected {Expected(parameter)}.", parameter.Description);
    }

    // models write numbers where a text is expected; both mean the same
    private static string? TextOf(JsonElement value)
    {
        try
        {
            return value.ValueKind switch
            {
                JsonValueKind.String => value.GetString(),
                JsonValueKind.Number => value.GetRawText(),
                _ => null,
            };
        }
        catch (InvalidOperationException)
        {
            return null; // half of a surrogate pair
        }
    }

    private static List<string>? TextsOf(JsonElement value)
    {
        var texts = new List<string>();
        foreach (var item in value.EnumerateArray())
        {
            if (TextOf(item) is not { } text)
            {
                return null;
            }

            texts.Add(text);
        }

        return texts;
    }

    private static string Expected(ToolParameter parameter) => parameter.Kind switch
    {
        ArgumentKind.Integer => $"an integer from {parameter.Min} to {parameter.Max}",
        ArgumentKind.Boolean => "true or false",
        ArgumentKind.Texts => $"a list of at most {parameter.MaxItems} texts of at most {parameter.MaxLength} characters",
        _ when parameter.Choices.Count > 0 => $"one of {string.Join(", ", parameter.Choices)}",
        _ => $"a text of at most {parameter.MaxLength} characters",
    };

    private static string Shown(string text) => text.Length <= 80 ? text : $"{text[..80]}… ({text.Length} characters)";
}

/// <summary>A call cannot be done. The model gets both sentences.</summary>
/// <param name="problem">What is wrong.</param>
/// <param name="next">What to do next.</param>
internal sealed class ToolException(string problem, string next) : Exception($"{problem.TrimEnd('.')}. Next: {next}")
{
    /// <summary>What is wrong.</summary>
    public string Problem { get; } = problem;
}
