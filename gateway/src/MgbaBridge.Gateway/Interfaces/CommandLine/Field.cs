using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>A property of a JSON body: an option, and an argument if the request needs it.</summary>
internal sealed class Field
{
    private readonly Parameter _parameter;
    private readonly Option _option;
    private readonly Argument<string[]>? _argument;

    /// <summary>The field of a parameter.</summary>
    /// <param name="parameter">The parameter.</param>
    /// <param name="isArgument">Whether it is an argument as well.</param>
    /// <param name="option">The name of its option.</param>
    /// <param name="isLast">Whether no other argument follows, so that it may have several values.</param>
    public Field(Parameter parameter, bool isArgument, string option, bool isLast)
    {
        _parameter = parameter;
        _option = OptionOf<string[]>(parameter, option);
        _argument = isArgument
            ? new Argument<string[]>(parameter.Name)
            {
                HelpName = Label,
                Description = parameter.Description,
                Arity = isLast ? ArgumentArity.ZeroOrMore : ArgumentArity.ZeroOrOne,
                CustomParser = static result => [.. result.Tokens.Select(token => token.Value)], // the built-in one refuses a list of at most one value
            }
            : null;
        if (parameter.Shape is { JsonType: "array", Choices.Count: > 0 })
        {
            _option.CompletionSources.Add(Completions.Keys);
            _argument?.CompletionSources.Add(Completions.Keys);
        }
    }

    /// <summary>Its name in JSON.</summary>
    public string Name => _parameter.Name;

    /// <summary>Its name as an argument.</summary>
    public string Label => OperationFields.Kebab(Name).ToUpperInvariant();

    /// <summary>Whether a request needs it.</summary>
    public bool IsRequired => _parameter.IsRequired;

    /// <summary>The option of a parameter: one that may have no value if it is true or false, otherwise one with values of this type.</summary>
    public static Option OptionOf<T>(Parameter parameter, string name, bool isRequired = false) => parameter.Shape.JsonType == "boolean"
        ? new Option<bool>(name) { Description = parameter.Description, Required = isRequired }
        : new Option<T>(name) { HelpName = Placeholder(parameter), Description = parameter.Description, Required = isRequired };

    /// <summary>What help shows for the value of a parameter.</summary>
    public static string Placeholder(Parameter parameter) => parameter.Shape switch
    {
        { JsonType: "integer" or "number" } => "NUMBER",
        { JsonType: "string", Choices.Count: > 0 } => "NAME",
        { JsonType: "string" } => "TEXT",
        _ => "VALUE",
    };

    /// <summary>Adds it to a command.</summary>
    public void AddTo(Command command)
    {
        if (_argument is not null)
        {
            command.Add(_argument);
        }

        command.Add(_option);
    }

    /// <summary>The value as JSON, or null when none is given.</summary>
    public JsonNode? Value(ParseResult result)
    {
        var option = result.GetResult(_option);
        string[] given = option is null or { Implicit: true } ? []
            : _option is Option<bool> flag ? [result.GetValue(flag) ? "true" : "false"]
            : [.. option.Tokens.Select(token => token.Value)];
        string[] arguments = _argument is null ? [] : [.. result.GetResult(_argument)?.Tokens.Select(token => token.Value) ?? []];
        return (given, arguments) switch
        {
            ([], []) => null,
            ([_, ..], [_, ..]) => throw VerbException.WrongUsage($"{Label} is given twice: as {arguments[0]} and as {_option.Name} {given[0]}."),
            ([], _) => ToJson(arguments),
            _ => ToJson(given),
        };
    }

    private JsonNode? ToJson(string[] values) => (_parameter.Shape.JsonType, values) switch
    {
        ("array" or "object", [['[' or '{', ..] one]) => Parse(one),
        ("array", [var one]) when _parameter.Shape.Choices.Count > 0 => JsonValue.Create(one), // keys, as in A+Up
        ("object", [var one]) => Literal(one),
        ("array" or "object", _) => new JsonArray([.. values.Select(Literal)]),
        (_, [_, _, ..]) => throw VerbException.WrongUsage($"{Label} has {values.Length} values, {string.Join(" and ", values.Take(2))}; expected one. Quote a value with spaces."),
        ("integer", [var one]) => Integers.TryParse(one, out var integer) ? JsonValue.Create(integer) : throw Wrong(one),
        ("number", [var one]) => double.TryParse(one, CultureInfo.InvariantCulture, out var real) && double.IsFinite(real) ? JsonValue.Create(real) : throw Wrong(one),
        ("boolean", [var one]) => bool.TryParse(one, out var flag) ? JsonValue.Create(flag) : throw Wrong(one),
        (_, [var one]) when _parameter.Shape.Choices is { Count: > 0 } choices && !choices.Contains(one, StringComparer.OrdinalIgnoreCase) => throw Wrong(one),
        (_, [var one]) => JsonValue.Create(one),
        _ => null,
    };

    // JSON without brackets, or a text without quotes
    private JsonNode? Literal(string text)
    {
        try
        {
            return _parameter.Shape.JsonType == "object" ? JsonNode.Parse(text) : JsonValue.Create(text);
        }
        catch (JsonException)
        {
            return JsonValue.Create(text);
        }
    }

    private JsonNode? Parse(string text)
    {
        try
        {
            return JsonNode.Parse(text);
        }
        catch (JsonException exception)
        {
            throw VerbException.WrongUsage($"{Label} is not JSON: {exception.Message}");
        }
    }

    private VerbException Wrong(string text) => VerbException.WrongUsage($"{Label} is \"{text}\"; expected {_parameter.Shape.Expected}.");
}
