using System.CommandLine;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>
/// The verbs below the program's name. All have a name and a description; arguments, options and actions are made only for those that the
/// arguments of the program name, so that a verb starts quickly.
/// </summary>
/// <param name="root">The program.</param>
/// <param name="arguments">The program's arguments.</param>
internal sealed class VerbTree(RootCommand root, IReadOnlyList<string> arguments)
{
    private readonly HashSet<string> _defined = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _groups = new(StringComparer.Ordinal);
    private string _group = "";

    // a completion request has the whole command line in one argument
    private readonly HashSet<string> _words = [.. arguments.SelectMany(argument => argument.Split(' '))];

    /// <summary>The group of each verb in the help; the groups in their order.</summary>
    public IReadOnlyDictionary<string, string> Groups => _groups;

    /// <summary>Begins a group of verbs.</summary>
    public void Group(string name) => _group = name;

    /// <summary>Adds a verb such as <c>keys tap</c>, unless there is one already.</summary>
    /// <param name="path">Its words.</param>
    /// <param name="summary">What it does.</param>
    /// <param name="complete">Adds its arguments, options and action.</param>
    public void Add(string path, string summary, Action<Command> complete)
    {
        if (!_defined.Add(path))
        {
            return;
        }

        var words = path.Split(' ');
        _groups.TryAdd(words[0], _group);
        Command command = root;
        foreach (var word in words)
        {
            var next = command.Subcommands.FirstOrDefault(verb => verb.Name == word);
            if (next is null)
            {
                next = new Command(word);
                command.Add(next);
            }

            command = next;
        }

        command.Description = summary;
        if (words.All(_words.Contains))
        {
            complete(command);
        }
    }

    /// <summary>Describes the verbs that only have other verbs below them.</summary>
    public void DescribeGroups() => DescribeGroups(root);

    private static void DescribeGroups(Command command)
    {
        foreach (var verb in command.Subcommands)
        {
            verb.Description ??= verb.Subcommands is [var only] ? only.Description : $"Commands: {string.Join(", ", verb.Subcommands.Select(below => below.Name))}";
            DescribeGroups(verb);
        }
    }
}

/// <summary>All verbs.</summary>
internal static class Verbs
{
    /// <summary>Adds them, in the groups that the help lists.</summary>
    public static void AddTo(VerbTree tree, Action<string[]> serve)
    {
        tree.Group("Start");
        RunVerb.AddTo(tree, serve);
        tree.Add("serve", "Run the gateway; emulators are started separately", command =>
        {
            ServeArguments.AddTo(command);
            command.SetAction(result => serve(ServeArguments.Read(result)));
        });
        RunVerb.AddNodeTo(tree, serve);
        McpVerb.AddTo(tree, serve);
        ScriptVerb.AddTo(tree);

        tree.Group("Look after");
        StatusVerbs.AddTo(tree);
        FleetVerb.AddTo(tree);
        DoctorVerb.AddTo(tree);
        BenchVerb.AddTo(tree);
        TokenVerb.AddTo(tree);

        tree.Group("Play and read the game");
        MemoryVerbs.AddTo(tree);
        SequenceVerb.AddTo(tree);
        WatchVerb.AddTo(tree);
        OperationVerbs.AddShortNamesTo(tree);
        VideoVerb.AddTo(tree);

        tree.Group("Test");
        TestVerb.AddTo(tree);
        ScoreVerb.AddTo(tree);

        tree.Group("This program");
        HelpVerb.AddTo(tree);
        VersionVerb.AddTo(tree);
        CompletionVerb.AddTo(tree);

        tree.Group("Operations of the gateway, by resource");
        OperationVerbs.AddTo(tree);
        tree.DescribeGroups();
    }
}
