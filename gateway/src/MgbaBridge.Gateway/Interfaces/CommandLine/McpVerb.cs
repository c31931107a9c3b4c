using System.CommandLine;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Interfaces.Mcp;
using MgbaBridge.Gateway.Interfaces.Mcp.Server;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>mcp</c>: MCP on standard input and output, for agents that start their servers themselves.</summary>
internal static class McpVerb
{
    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree, Action<string[]> serve) => tree.Add("mcp", "Serve MCP on standard input and output, for agents such as Claude", command =>
    {
        command.Description = "Serve MCP on standard input and output. It uses the gateway that runs; if none runs, or a ROM or one of its options is named, it starts one with an emulator, which ends "
            + "with the session. Messages for people go to standard error. docs/agents.md describes the tools.";
        var roms = new Argument<string[]>("rom") { Arity = ArgumentArity.ZeroOrMore, Description = "ROMs to play in a gateway of its own; default: :demo:, the bundled demo game, if no gateway runs", CompletionSources = { Completions.Files } };
        var toolsets = new Option<string?>($"--{ToolsetNames.Parameter}")
        {
            HelpName = "NAMES",
            Description = "Other tools than the usual ones, with a comma between names: debug, for breakpoints, steps and disassembly; compact, which lists the frequent ones only",
            Validators =
            {
                static result =>
                {
                    if (ToolsetNames.Read(result.GetValueOrDefault<string?>(), out _) is { } wrong)
                    {
                        result.AddError(wrong);
                    }
                },
            },
        };
        toolsets.CompletionSources.Add([.. ToolsetNames.All]);
        command.Add(roms);
        command.Add(toolsets);
        var emulators = new EmulatorArguments(command);
        GatewayClient.AddAddressTo(command);
        command.SetAction(async (result, cancelled) =>
        {
            var (url, token, isChosen) = GatewayClient.AddressOf(result);
            var (played, options) = (result.GetValue(roms) ?? [], emulators.SettingsOf(result).ToArray());
            var isOwn = played.Length > 0 || options.Length > 0;
            if (isOwn && isChosen)
            {
                throw VerbException.WrongUsage("ROMs are played in a gateway of its own; leave out either the ROM and its options or the URL.");
            }

            if (!isOwn && await IsGatewayAsync(url, cancelled))
            {
                using var forwarder = new StdioForwarder(url, token, Console.OpenStandardOutput(), result.GetValue(toolsets));
                await forwarder.RunAsync(Console.OpenStandardInput(), cancelled);
                return ExitCodes.Done;
            }

            if (isChosen)
            {
                throw new VerbException(ExitCodes.NotReachable, $"No gateway is reachable at {url}. Start one with `mgba-bridge run`, or leave out --url and MGBA_BRIDGE_URL to have one started.");
            }

            string[] stdio = [$"--{StdioHost.Key}=true", "--Logging:Console:LogToStandardErrorThreshold=Trace"];
            serve(
            [
                .. RunVerb.SettingsOf(played, port: null, scriptPort: null), .. options, .. stdio, .. token?.Parameter is { } own ? [$"--{StdioHost.TokenKey}={own}"] : Array.Empty<string>(),
                .. result.GetValue(toolsets) is { } sets ? [$"--{StdioHost.ToolsetsKey}={sets}"] : Array.Empty<string>(),
            ]);
            return ExitCodes.Done;
        });
    });

    private static async Task<bool> IsGatewayAsync(Uri url, CancellationToken cancelled)
    {
        using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { Timeout = RequestTimeout };
        try
        {
            return await http.GetStringAsync(new Uri(url, "/healthz"), cancelled) == "ok";
        }
        catch (Exception exception) when (exception is HttpRequestException or OperationCanceledException && !cancelled.IsCancellationRequested)
        {
            return false;
        }
    }
}
