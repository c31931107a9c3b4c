using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Parsing;
using MgbaBridge.Client.Validation;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>What is wrong with the arguments of a verb, in sentences.</summary>
internal static class ArgumentErrors
{
    /// <summary>One sentence for each error.</summary>
    public static IReadOnlyList<string> Of(ParseResult result)
    {
        var command = result.CommandResult.Command;
        var name = FullName(result);
        string[] early = [.. result.UnmatchedTokens.Where(IsOption).Select(token => token.Split('=', 2)[0]).Where(Options(command).Contains)];
        string[] misplaced = [.. early.Where(option => GatewayClient.OptionOf(option) is null)];
        List<string> wrong =
        [
            .. misplaced.Select(option => $"{option} comes after the command: {name} {option}."),
            .. Values(result).Where(value => !early.Contains(value.Split('=', 2)[0])).Where(value => IsOption(value) && !(ServeArguments.IsSetting(value) && command.Options.Any(ServeArguments.Options.Contains))).Select(option => NoSuchOption(command, option)),
            .. result.RootCommandResult.Children.OfType<OptionResult>().Where(option => command is not RootCommand && !option.Implicit && ServeArguments.Options.Contains(option.Option))
                .Select(option => $"{option.Option.Name} is a setting of the gateway, not an option of {name}."),
        ];
        if (wrong.Count == 0)
        {
            // an unknown command below this one has a sentence of its own
            var errors = result.Errors.Where(error => error.SymbolResult is not CommandResult || result.UnmatchedTokens.Count == 0).ToLookup(IsMissingArgument);
            wrong.AddRange(errors[false].Select(error => Sentence(error, command, name)));
            if (wrong.Count == 0 && errors[true].Any())
            {
                wrong.Add($"{name} needs {string.Join(" and ", errors[true].Select(error => Label(((ArgumentResult)error.SymbolResult!).Argument)).Distinct())}. {Help(name)}");
            }
        }

        if (wrong.Count == 0 || (command.Subcommands.Count > 0 && misplaced.Length == 0))
        {
            // what follows an unknown option is taken for its value
            wrong.AddRange(result.UnmatchedTokens.Where((token, index) => !IsOption(token) && (index == 0 || !IsOption(result.UnmatchedTokens[index - 1]))).Take(1).Select(token => command.Subcommands.Count > 0
                ? $"There is no command {name} {token}. Did you mean {NearestName.Of(token, command.Subcommands.Select(verb => verb.Name))}? {Help(name)}"
                : $"{token} is one argument too many. {Help(name)}"));
        }

        return [.. wrong.Distinct()];
    }

    /// <summary>The sentence for a first argument that is not a verb.</summary>
    public static string NoSuchVerb(Command root, string argument) =>
        $"{argument} is not a command. Did you mean {NearestName.Of(argument, root.Subcommands.SelectMany(verb => verb.Aliases.Append(verb.Name)))}? "
        + "mgba-bridge --help lists the commands; settings are written --name=value.";

    /// <summary>The verb as it is typed.</summary>
    public static string FullName(ParseResult result)
    {
        var names = new List<string>();
        for (SymbolResult? verb = result.CommandResult; verb is CommandResult { Command: not RootCommand } parent; verb = verb.Parent)
        {
            names.Insert(0, parent.Command.Name);
        }

        return string.Join(' ', names.Prepend("mgba-bridge"));
    }

    /// <summary>Whether an argument is an option, not a negative number or a minus for standard input.</summary>
    public static bool IsOption(string argument) => argument.Length > 1 && argument[0] == '-' && !char.IsAsciiDigit(argument[1]);

    // values of arguments and options before a double dash, where an unknown option becomes a value
    private static IEnumerable<string> Values(ParseResult result)
    {
        var literal = result.Tokens.SkipWhile(token => token.Type != TokenType.DoubleDash).ToHashSet();
        return result.CommandResult.Children.SelectMany(child => child.Tokens).Where(token => token.Type == TokenType.Argument && !literal.Contains(token))
            .Select(token => token.Value).Concat(result.UnmatchedTokens);
    }

    private static string NoSuchOption(Command command, string argument)
    {
        var option = argument.Split('=', 2)[0];
        var known = Options(command);
        return known.Contains(option) ? $"The option before {option} needs a value."
            : $"There is no option {option}. Did you mean {NearestName.Of(option, known)}? The options are {string.Join(", ", known)}.";
    }

    private static string[] Options(Command command) => [.. command.Options.Where(option => !option.Hidden).Select(option => option.Name).Append("--help").Distinct()];

    private static string Sentence(ParseError error, Command command, string name) => error.SymbolResult switch
    {
        OptionResult { Tokens.Count: 0 } option => $"{option.Option.Name} needs a value, such as {option.Option.Name} {option.Option.HelpName ?? "VALUE"}.",
        OptionResult { Tokens.Count: > 1 } option => $"{option.Option.Name} is given {option.Tokens.Count} times; give it once.",
        OptionResult option => $"{option.Option.Name} is \"{option.Tokens[^1].Value}\"{Expected(option.Option, error)}",
        CommandResult when command.Subcommands.Count > 0 => $"{name} needs a command: {string.Join(", ", command.Subcommands.Select(verb => verb.Name))}.",
        _ => error.Message,
    };

    private static string Expected(Option option, ParseError error) =>
        option.GetCompletions(CompletionContext.Empty).Select(completion => completion.Label).ToArray() is { Length: > 0 } names && option.ValueType == typeof(string) ? $"; expected {string.Join(", ", names)}."
        : option.ValueType == typeof(int?) ? "; expected an integer." : option.ValueType == typeof(double?) ? "; expected a number." : $": {error.Message}";

    private static bool IsMissingArgument(ParseError error) => error.SymbolResult is ArgumentResult { Tokens.Count: 0 };

    private static string Label(Argument argument) => argument.HelpName ?? argument.Name.ToUpperInvariant();

    private static string Help(string name) => $"{name} --help shows how it is used.";
}

/// <summary>Ends a verb with an exit code and one sentence.</summary>
internal sealed class VerbException(int exitCode, string sentence) : Exception(sentence)
{
    /// <summary>The exit code of the program.</summary>
    public int ExitCode { get; } = exitCode;

    /// <summary>The command line is wrong.</summary>
    public static VerbException WrongUsage(string sentence) => new(ExitCodes.WrongUsage, sentence);

    /// <summary>Ends what needs OpenSSL where it is missing: .NET would abort.</summary>
    public static void CheckOpenSsl()
    {
        if (OpenSsl.Missing is { } missing)
        {
            throw new VerbException(ExitCodes.CannotStart, $"{missing} {OpenSsl.Install}");
        }
    }

    /// <summary>The reader of standard output has what it wants.</summary>
    public static VerbException NobodyReads() => new(ExitCodes.Done, "");

    /// <summary>A file of this machine cannot be read or written.</summary>
    public static VerbException File(string file, string purpose, Exception exception) => new(ExitCodes.FileError, exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => $"{file} cannot be {purpose}: there is no such file or folder.",
        UnauthorizedAccessException when Directory.Exists(file) => $"{file} cannot be {purpose}: it is a folder.",
        UnauthorizedAccessException => $"{file} cannot be {purpose}: permission denied.",
        _ => $"{file} cannot be {purpose}: {exception.Message}",
    });
}
