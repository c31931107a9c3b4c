using System.CommandLine;
using System.CommandLine.Completions;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Status;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>completion</c>: the completion script of a shell. The scripts request completions from the program, by <c>[suggest:N]</c>.</summary>
internal static class CompletionVerb
{
    private static readonly Dictionary<string, string> Scripts = new()
    {
        ["bash"] = """
            # bash completion of mgba-bridge; add to ~/.bashrc:  source <(mgba-bridge completion bash)
            _mgba_bridge() {
              local word=${COMP_LINE:0:COMP_POINT} line
              word=${word##* }
              COMPREPLY=()
              while IFS= read -r line; do
                [[ $line != "$word"* ]] || COMPREPLY+=("$line")
              done < <("${COMP_WORDS[0]}" "[suggest:$COMP_POINT]" "$COMP_LINE" 2> /dev/null)
            }
            complete -o bashdefault -o default -o filenames -F _mgba_bridge mgba-bridge
            """,
        ["zsh"] = """
            #compdef mgba-bridge
            # zsh completion of mgba-bridge; add to ~/.zshrc:  source <(mgba-bridge completion zsh)
            _mgba_bridge() {
              local -a completions
              completions=("${(@f)$("${words[1]}" "[suggest:$CURSOR]" "$BUFFER" 2> /dev/null)}")
              compadd -f -- "${completions[@]}" || _files
            }
            compdef _mgba_bridge mgba-bridge
            """,
        ["fish"] = """
            # fish completion of mgba-bridge; save as ~/.config/fish/completions/mgba-bridge.fish
            complete -c mgba-bridge -a '(mgba-bridge "[suggest:"(commandline -C)"]" (commandline) 2> /dev/null)'
            """,
        ["pwsh"] = """
            # PowerShell completion of mgba-bridge; add to $PROFILE:  mgba-bridge completion pwsh | Out-String | Invoke-Expression
            Register-ArgumentCompleter -Native -CommandName mgba-bridge -ScriptBlock {
              param($word, $line, $cursor)
              mgba-bridge "[suggest:$cursor]" "$line" 2> $null | Where-Object { $_ -like "$word*" } | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
              }
            }
            """,
    };

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("completion", "Write the completion script of a shell", command =>
    {
        var shell = new Argument<string>("shell") { HelpName = string.Join('|', Scripts.Keys), Description = "The shell" };
        shell.CompletionSources.Add([.. Scripts.Keys]);
        command.Add(shell);
        Display.AddOptionsTo(command);
        command.SetAction(result =>
        {
            var (name, display) = (result.GetValue(shell)!, new Display(result));
            if (!Scripts.TryGetValue(name, out var script))
            {
                throw VerbException.WrongUsage($"There is no completion script for {name}; expected {string.Join(", ", Scripts.Keys)}.");
            }

            display.Line(display.IsJson ? new JsonObject { ["shell"] = name, ["script"] = script }.ToJsonString() : script);
        });
    });
}

/// <summary>What arguments and options may be. Without a line to complete, as for help and error messages, they offer nothing.</summary>
internal static class Completions
{
    /// <summary>How long the gateway may take for what it knows: who types does not wait.</summary>
    internal static TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The files and folders of this machine.</summary>
    public static IEnumerable<CompletionItem> Files(CompletionContext context)
    {
        if (context is not TextCompletionContext)
        {
            return [];
        }

        var folder = context.WordToComplete[..(context.WordToComplete.LastIndexOf('/') + 1)];
        try
        {
            return [.. new DirectoryInfo(folder.Length == 0 ? "." : folder).EnumerateFileSystemInfos().Select(entry => new CompletionItem(folder + entry.Name))];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>The keys, also behind a plus.</summary>
    public static IEnumerable<CompletionItem> Keys(CompletionContext context) => context is TextCompletionContext
        ? KeySet.Names.Select(key => new CompletionItem(context.WordToComplete[..(context.WordToComplete.LastIndexOf('+') + 1)] + key))
        : [];

    /// <summary>The ids of the emulators, from the gateway that the line names; nothing if it does not answer.</summary>
    public static IEnumerable<CompletionItem> Emulators(CompletionContext context)
    {
        if (context is not TextCompletionContext)
        {
            return [];
        }

        try
        {
            var (url, token, _) = GatewayClient.AddressOf(context.ParseResult);
            using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { Timeout = Timeout };
            http.DefaultRequestHeaders.Authorization = token;
            using var list = JsonDocument.Parse(Task.Run(() => http.GetByteArrayAsync(new Uri(url, StatusOperations.Emulators.Path))).GetAwaiter().GetResult());
            return [.. list.RootElement.EnumerateArray().Select(static emulator => new CompletionItem(emulator.GetProperty("id").GetString()!))];
        }
        catch (Exception exception) when (exception is VerbException or HttpRequestException or OperationCanceledException or JsonException or InvalidOperationException or KeyNotFoundException)
        {
            return [];
        }
    }
}
