using System.CommandLine;

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

    // a completion request has the whole command line in one argument
    private readonly HashSet<string> _words = [.. arguments.SelectMany(argument => argument.Split(' '))];

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
            verb.Description ??= $"Commands: {string.Join(", ", verb.Subcommands.Select(below => below.Name))}";
            DescribeGroups(verb);
        }
    }
}

/// <summary>All verbs but <c>serve</c>.</summary>
internal static class Verbs
{
    /// <summary>Adds them, in the order in which the help lists them.</summary>
    public static void AddTo(VerbTree tree)
    {
        StatusVerbs.AddTo(tree);
        FleetVerb.AddTo(tree);
        DoctorVerb.AddTo(tree);
        MemoryVerbs.AddTo(tree);
        MachineVerbs.AddTo(tree);
        PlayVerb.AddTo(tree);
        WatchVerb.AddTo(tree);
        BenchVerb.AddTo(tree);
        TestVerb.AddTo(tree);
        ScriptVerb.AddTo(tree);
        TokenVerb.AddTo(tree);
        VersionVerb.AddTo(tree);
        CompletionVerb.AddTo(tree);
        OperationVerbs.AddTo(tree);
        tree.DescribeGroups();
    }
}
