using System.CommandLine;
using System.Net.Http.Headers;
using System.Text.Json.Nodes;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Text;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>
/// The arguments and options of an operation: path parameters are arguments; query parameters, headers and properties of a JSON body are options. The
/// required properties are arguments as well, and what is declared as one.
/// </summary>
internal sealed partial class OperationFields
{
    // options that every operation has
    private static readonly string[] Common = ["--body", "--in", "--out", "--emulator", "--url", "--token", "--json", "--help"];

    private readonly Operation _operation;
    private readonly List<Argument<string>> _path;
    private readonly List<(Input Input, Option<string> Option)> _inputs;
    private readonly List<(Parameter Parameter, Option Option, Argument<string?>? Argument)> _query;
    private readonly List<Field> _properties;

    public OperationFields(Operation operation, OperationDescription description)
    {
        _operation = operation;
        _path = [.. Parameters().Matches(operation.Path).Select(match =>
            ArgumentOf(match.Groups[1].Value, description.In(ParameterPlace.Path).FirstOrDefault(parameter => parameter.PathName == match.Groups[1].Value)))];
        _inputs = [.. HttpInputs.Of(description).Select(input => (input, new Option<string>(OptionName(operation, input.Name.Replace("Mgba-", "", StringComparison.Ordinal)))
        {
            HelpName = "VALUE",
            Description = $"{input.Description} Example: {input.Example}",
            Required = input is { IsRequired: true, IsHeader: false },
        }))];
        _query = [.. description.In(ParameterPlace.Query).Select(parameter => (
            parameter,
            Field.OptionOf<string>(parameter, OptionName(operation, parameter.Name), parameter is { IsRequired: true, IsArgument: false }),
            parameter.IsArgument ? new Argument<string?>(parameter.Name) { HelpName = Kebab(parameter.Name).ToUpperInvariant(), Description = parameter.Description, Arity = ArgumentArity.ZeroOrOne } : null))];
        var parameters = description.PropertiesOfTheBody.ToArray();
        var arguments = parameters.Where(parameter => parameter.IsRequired).ToArray();
        arguments = arguments.Length > 0 ? arguments : [.. parameters.Where(parameter => parameter.IsArgument)];
        _properties = [.. parameters.Select(parameter => new Field(parameter, arguments.Contains(parameter), OptionName(operation, parameter.Name), arguments.LastOrDefault() == parameter))];
    }

    /// <summary>Adds them to a command.</summary>
    public void AddTo(Command command)
    {
        _path.ForEach(command.Add);
        _properties.ForEach(property => property.AddTo(command));
        foreach (var (_, option, argument) in _query)
        {
            if (argument is not null)
            {
                command.Add(argument);
            }

            command.Add(option);
        }

        _inputs.ForEach(input => command.Add(input.Option));
    }

    /// <summary>The path and query of the request.</summary>
    public string Path(ParseResult result)
    {
        var index = 0;
        var path = Parameters().Replace(_operation.Path, _ =>
        {
            var argument = _path[index++];
            var value = result.GetValue(argument);
            return string.IsNullOrEmpty(value) ? throw VerbException.WrongUsage($"{argument.HelpName} is empty.") : Uri.EscapeDataString(value);
        });
        var query = from input in _inputs
                    where !input.Input.IsHeader && result.GetResult(input.Option) is not null
                    select $"{input.Input.Name}={Uri.EscapeDataString(result.GetValue(input.Option)!)}";
        var given = from one in _query
                    let value = QueryValue(result, one.Option, one.Argument)
                    where value is not null
                    select $"{one.Parameter.Name}={Uri.EscapeDataString(value)}";
        return string.Join('&', query.Concat(given)) is { Length: > 0 } text ? $"{path}?{text}" : path;
    }

    /// <summary>The path of an operation whose path has one parameter.</summary>
    public static string PathOf(Operation operation, string value) => Parameters().Replace(operation.Path, Uri.EscapeDataString(value));

    /// <summary>Sets the headers of the request.</summary>
    public void SetHeaders(ParseResult result, HttpRequestHeaders headers)
    {
        foreach (var (input, option) in _inputs.Where(input => input.Input.IsHeader && result.GetResult(input.Option) is not null))
        {
            if (result.GetValue(option) is not { Length: > 0 } value || value.Any(letter => letter is < ' ' or > '~') || !headers.TryAddWithoutValidation(input.Name, value))
            {
                throw VerbException.WrongUsage($"{option.Name} is not valid; expected visible ASCII characters.");
            }
        }
    }

    /// <summary>The JSON body, or null when nothing of it is given.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="whole">The body as a whole, or null.</param>
    public string? Body(ParseResult result, string? whole)
    {
        var body = new JsonObject();
        foreach (var property in _properties)
        {
            if (property.Value(result) is { } value)
            {
                body[property.Name] = value;
            }
        }

        if (whole is null)
        {
            var missing = _properties.FirstOrDefault(property => property.IsRequired && !body.ContainsKey(property.Name));
            return missing is not null ? throw VerbException.WrongUsage($"{ArgumentErrors.FullName(result)} needs {missing.Label}. {ArgumentErrors.FullName(result)} --help shows how it is used.")
                : body.Count == 0 ? null : body.ToJsonString();
        }

        if (body.Count > 0)
        {
            throw VerbException.WrongUsage($"--body is the whole request body; leave out {body.First().Key}, or --body.");
        }

        try
        {
            using var document = JsonDocument.Parse(whole);
            return whole;
        }
        catch (JsonException exception)
        {
            throw VerbException.WrongUsage($"--body is not JSON: {exception.Message}");
        }
    }

    private static string? QueryValue(ParseResult result, Option option, Argument<string?>? argument)
    {
        var value = argument is null ? null : result.GetValue(argument);
        return result.GetResult(option) is not { Implicit: false } given ? value
            : value is not null ? throw VerbException.WrongUsage($"{argument!.HelpName} is given twice: as {value} and as {option.Name}.")
            : given.Tokens.Count > 0 ? given.Tokens[0].Value : "true";
    }

    private static Argument<string> ArgumentOf(string name, Parameter? parameter)
    {
        var argument = new Argument<string>(name) { HelpName = name.ToUpperInvariant(), Description = parameter?.Description };
        if (parameter is { IsEmulator: true })
        {
            argument.CompletionSources.Add(Completions.Emulators);
        }

        return argument;
    }

    /// <summary>The option of a property or parameter. One that every operation has gets the resource before it: <c>--lease-token</c>.</summary>
    private static string OptionName(Operation operation, string name) =>
        Common.Contains($"--{Kebab(name)}") ? $"--{Kebab(operation.Parts.Resource)}-{Kebab(name)}" : $"--{Kebab(name)}";

    /// <summary>A name with dashes: <c>ifDown</c> is <c>if-down</c>.</summary>
    public static string Kebab(string name)
    {
        var text = new StringBuilder();
        foreach (var letter in name)
        {
            if (char.IsAsciiLetterUpper(letter) && text.Length > 0 && text[^1] != '-')
            {
                text.Append('-');
            }

            text.Append(char.ToLowerInvariant(letter));
        }

        return text.ToString();
    }

    [GeneratedRegex(@"\{(\w+)[^}]*\}")]
    private static partial Regex Parameters();
}
