using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>The program's command line. Without a verb the program serves.</summary>
internal static class BridgeCommand
{
    private const string Footer = """
        Every setting of the gateway can be given as --Bridge:Section:Name=value, or as Bridge__Section__Name in the environment; docs/settings.md lists all.
        Exit codes: 0 success, 1 failure, 2 wrong arguments or settings, 3 cannot listen, or no gateway is reachable, 4 a file cannot be read or written,
        5 what `wait` waits for did not happen in time.
        """;

    /// <summary>Runs the requested command, unless it starts the gateway.</summary>
    /// <returns>The exit code, or the settings of the gateway to start, as <c>--name=value</c>.</returns>
    public static Task<(int ExitCode, string[]? Settings)> RunAsync(string[] arguments) => RunAsync(arguments, StandardOutput.Writer(), Console.Error);

    /// <summary>The same with other writers.</summary>
    internal static async Task<(int ExitCode, string[]? Settings)> RunAsync(string[] arguments, TextWriter output, TextWriter error)
    {
        string[]? settings = null;
        arguments = HelpVerb.AsOption(WithOptionsLast(arguments));
        try
        {
            var result = Create(arguments, read => settings = read).Parse(ServeArguments.Normalize(arguments), ServeArguments.Parsing);
            Check(result);
            var configuration = new InvocationConfiguration { ProcessTerminationTimeout = null, EnableDefaultExceptionHandler = false, Output = output, Error = error };
            var exitCode = await result.InvokeAsync(configuration);
            if (settings is not null)
            {
                VerbException.CheckOpenSsl();
            }

            return (exitCode, settings);
        }
        catch (SettingsException exception)
        {
            await StartFailures.SayAsync(error, exception.Message);
            return (ExitCodes.BadSettings, null);
        }
        catch (VerbException exception)
        {
            await StartFailures.SayAsync(error, exception.Message);
            return (exception.ExitCode, null);
        }
        catch (Exception exception) when (StartFailures.IsOfTheCurrentFolder(exception))
        {
            await StartFailures.SayAsync(error, StartFailures.NoCurrentFolder);
            return (ExitCodes.FileError, null);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            // a defect: one sentence, as for every other failure
            await StartFailures.SayAsync(error, $"mgba-bridge failed: {exception.GetType().Name}: {exception.Message}");
            return (ExitCodes.Refused, null);
        }
    }

    /// <summary>The commands. Only those that the arguments name get their arguments and options.</summary>
    internal static RootCommand Create(IReadOnlyList<string> arguments, Action<string[]> serve)
    {
        var root = new RootCommand("Lets programs play and read a game in mGBA over HTTP. Without a command it serves, as `mgba-bridge serve` does.") { HelpName = "mgba-bridge" };
        ServeArguments.AddTo(root);
        root.SetAction(result => serve(ServeArguments.Read(result)));
        var tree = new VerbTree(root, arguments);
        Verbs.AddTo(tree, serve);

        var version = root.Options.OfType<VersionOption>().Single();
        version.Aliases.Add("-v");
        version.Action = new Answer(static (_, output) => output.WriteLine(VersionVerb.Text));
        var help = root.Options.OfType<HelpOption>().Single();
        var builtIn = (HelpAction)help.Action!;
        help.Action = new Answer((result, output) =>
        {
            using var text = new StringWriter();
            result.InvocationConfiguration.Output = text;
            builtIn.Invoke(result);
            result.InvocationConfiguration.Output = output;
            var isRoot = result.CommandResult.Command is RootCommand;
            output.Write(WithSettings(isRoot ? HelpVerb.Grouped(text.ToString(), tree.Groups) : text.ToString()));
            output.WriteLine(isRoot ? Footer : "docs/command-line.md describes all commands.");
            output.WriteLine(Documentation.Place);
        });
        return root;
    }

    // options of all verbs that use a gateway may come before the verb: --url URL tap A
    private static string[] WithOptionsLast(string[] arguments)
    {
        var verb = 0;
        while (verb < arguments.Length && GatewayClient.OptionOf(arguments[verb]) is { } option)
        {
            verb += option is Option<bool> || arguments[verb].Contains('=', StringComparison.Ordinal) ? 1 : 2;
        }

        var end = Array.IndexOf(arguments, "--");
        end = end < 0 ? arguments.Length : end;
        return verb >= end || arguments[verb].StartsWith('-') ? arguments : [.. arguments[verb..end], .. arguments[..verb], .. arguments[end..]];
    }

    // System.CommandLine takes what is not declared for arguments of another program
    private static string WithSettings(string help) => help
        .Replace("[[--] <additional arguments>...]]", "[--Bridge:Section:Name=VALUE...]", StringComparison.Ordinal)
        .Replace("Additional Arguments:", "Settings:", StringComparison.Ordinal)
        .Replace("Arguments passed to the application that is being run.", "Settings of the gateway; docs/settings.md lists all.", StringComparison.Ordinal);

    private static void Check(ParseResult result)
    {
        var command = result.CommandResult.Command;

        // help, version and completion come before errors, but for a command that is none
        if ((result.Action is Answer && (command.Subcommands.Count == 0 || result.UnmatchedTokens.Count == 0)) || result.Tokens is [{ Type: TokenType.Directive }, ..])
        {
            return;
        }

        if (command is not RootCommand && command.TreatUnmatchedTokensAsErrors)
        {
            var wrong = ArgumentErrors.Of(result);
            if (wrong.Count > 0)
            {
                throw VerbException.WrongUsage(string.Join(Environment.NewLine, wrong));
            }
        }
        else if (command is RootCommand && result.Tokens is [{ Type: TokenType.Argument } first, ..] && !first.Value.StartsWith('-'))
        {
            throw VerbException.WrongUsage(ArgumentErrors.NoSuchVerb(command, first.Value));
        }
        else if (result.Action is ParseErrorAction)
        {
            ServeArguments.Read(result);
        }
    }

    /// <summary>Writes an answer and ends.</summary>
    private sealed class Answer(Action<ParseResult, TextWriter> write) : SynchronousCommandLineAction
    {
        public override bool ClearsParseErrors => true;

        public override int Invoke(ParseResult parseResult)
        {
            write(parseResult, parseResult.InvocationConfiguration.Output);
            return ExitCodes.Done;
        }
    }
}
