using System.CommandLine;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary><c>completion</c>: the completion script of a shell. The scripts request completions from the program, by <c>[suggest:N]</c>.</summary>
internal static class CompletionVerb
{
    private static readonly Dictionary<string, string> Scripts = new()
    {
        ["bash"] = """
            # bash completion of mgba-bridge; add to ~/.bashrc:  source <(mgba-bridge completion bash)
            _mgba_bridge() {
              local IFS=$'\n'
              local word=${COMP_LINE:0:COMP_POINT}
              word=${word##* }
              COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "[suggest:$COMP_POINT]" "$COMP_LINE" 2> /dev/null)" -- "$word"))
            }
            complete -o bashdefault -o default -F _mgba_bridge mgba-bridge
            """,
        ["zsh"] = """
            #compdef mgba-bridge
            # zsh completion of mgba-bridge; add to ~/.zshrc:  source <(mgba-bridge completion zsh)
            _mgba_bridge() {
              local -a completions
              completions=("${(@f)$("${words[1]}" "[suggest:$CURSOR]" "$BUFFER" 2> /dev/null)}")
              compadd -- "${completions[@]}" || _files
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
