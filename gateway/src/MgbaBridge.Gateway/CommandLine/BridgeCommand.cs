using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary>The program's command line. Without a verb the program serves.</summary>
internal static class BridgeCommand
{
    private const string ExitCodeHelp = "Exit codes: 0 success, 1 the gateway could not start, 2 wrong settings, 3 it cannot listen.";

    /// <summary>The name and the version of the program.</summary>
    public static string Version => $"mgba-bridge {typeof(BridgeCommand).Assembly.GetName().Version?.ToString(3)}";

    /// <summary>Does what the arguments ask for, unless they start the gateway.</summary>
    /// <returns>The exit code, or the settings of the gateway to start, as <c>--name=value</c>.</returns>
    public static async Task<(int ExitCode, string[]? Settings)> RunAsync(string[] arguments)
    {
        string[]? settings = null;
        var result = Create(read => settings = read).Parse(ServeArguments.Normalize(arguments), ServeArguments.Parsing);
        try
        {
            if (result.Action is ParseErrorAction)
            {
                ServeArguments.Read(result);
            }

            var code = await result.InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null, EnableDefaultExceptionHandler = false });
            return (code, settings);
        }
        catch (SettingsException exception)
        {
            return (await StartFailures.TellAsync(exception), null);
        }
    }

    private static RootCommand Create(Action<string[]> serve)
    {
        var root = new RootCommand("Lets programs play and read a game in mGBA over HTTP.");
        ServeArguments.AddTo(root);
        root.SetAction(result => serve(ServeArguments.Read(result)));
        root.Options.OfType<VersionOption>().Single().Action = new Answer(static (result, output) => output.WriteLine(Version));
        var help = root.Options.OfType<HelpOption>().Single();
        var builtIn = (HelpAction)help.Action!;
        help.Action = new Answer((result, output) =>
        {
            builtIn.Invoke(result);
            output.WriteLine("Every setting can be given as --Bridge:Section:Name=value, or as Bridge__Section__Name in the environment; docs/operating.md lists all.");
            output.WriteLine(ExitCodeHelp);
        });
        return root;
    }

    /// <summary>Writes an answer and ends.</summary>
    private sealed class Answer(Action<ParseResult, TextWriter> write) : SynchronousCommandLineAction
    {
        public override int Invoke(ParseResult parseResult)
        {
            write(parseResult, parseResult.InvocationConfiguration.Output);
            return ExitCodes.Done;
        }
    }
}
