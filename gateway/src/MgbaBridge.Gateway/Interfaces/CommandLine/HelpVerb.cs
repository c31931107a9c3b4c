using System.CommandLine;
using System.CommandLine.Completions;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>help</c>: how a command is used, as the option <c>--help</c> of the command.</summary>
internal static class HelpVerb
{
    private const string Verb = "help";
    private const string Commands = "Commands:";

    /// <summary>Adds it to those that are listed.</summary>
    public static void AddTo(VerbTree tree) => tree.Add(Verb, "How a command is used: help tap", static command =>
    {
        var path = new Argument<string[]>("command") { Arity = ArgumentArity.ZeroOrMore, Description = "The words of the command; without them all commands are listed" };
        path.CompletionSources.Add(static context => context.ParseResult.RootCommandResult.Command.Subcommands.Select(static verb => new CompletionItem(verb.Name)));
        command.Add(path);
    });

    /// <summary>The arguments with <c>--help</c> at the end instead of <c>help</c> at the start.</summary>
    public static string[] AsOption(string[] arguments) =>
        arguments is [Verb] or [Verb, not ['-', ..], ..] ? [.. arguments[1..], "--help"] : arguments;

    /// <summary>The text of the help with its commands in groups, sorted in each.</summary>
    public static string Grouped(string help, IReadOnlyDictionary<string, string> groups)
    {
        var lines = help.Split('\n').ToList();
        var start = lines.FindIndex(static line => line.StartsWith(Commands, StringComparison.Ordinal));
        var end = lines.FindIndex(start, static line => string.IsNullOrWhiteSpace(line));
        var entries = new List<(string Name, List<string> Lines)>();
        foreach (var line in lines[(start + 1)..end])
        {
            // a long description continues in the next lines, which are indented further
            if (!line.StartsWith("   ", StringComparison.Ordinal))
            {
                entries.Add((line.Trim().Split(' ')[0], []));
            }

            entries[^1].Lines.Add(line);
        }

        var order = groups.Values.Distinct().ToList();
        var grouped = entries.GroupBy(entry => groups[entry.Name]).OrderBy(group => order.IndexOf(group.Key))
            .SelectMany(static group => (string[])["", $"{group.Key}:", .. group.OrderBy(static entry => entry.Name, StringComparer.Ordinal).SelectMany(static entry => entry.Lines)]);
        return string.Join('\n', [.. lines[..start], .. grouped.Skip(1), .. lines[end..]]);
    }
}
