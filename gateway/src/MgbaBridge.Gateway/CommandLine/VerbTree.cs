using System.CommandLine;

namespace MgbaBridge.Gateway.CommandLine;

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

    /// <summary>Whether help is requested.</summary>
    public bool WantsHelp => _words.Overlaps(["--help", "-h", "-?"]);

    /// <summary>The first argument, or null.</summary>
    public string? FirstWord => arguments.Count > 0 ? arguments[0] : null;

    /// <summary>Whether the arguments name a verb that has been added already, and nothing that may be a verb below it.</summary>
    public bool HasMatch { get; private set; }

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
            HasMatch |= !WantsHelp && words.SequenceEqual(arguments.Take(words.Length))
                && (command.Arguments.Count > 0 || !HasOtherWord(command, arguments.Skip(words.Length)));
        }
    }

    /// <summary>Describes the verbs that only have other verbs below them.</summary>
    public void DescribeGroups() => DescribeGroups(root);

    // whether there is an argument that is neither an option nor the value of one, as in `emulators --url URL start`
    private static bool HasOtherWord(Command command, IEnumerable<string> rest)
    {
        var isValue = false;
        foreach (var argument in rest)
        {
            var isOption = ArgumentErrors.IsOption(argument);
            if (!isOption && !isValue)
            {
                return true;
            }

            isValue = isOption && command.Options.Any(option => option.Name == argument && option.Arity.MinimumNumberOfValues > 0);
        }

        return false;
    }

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
        ScriptVerb.AddTo(tree);
        TokenVerb.AddTo(tree);
        VersionVerb.AddTo(tree);
        CompletionVerb.AddTo(tree);
        OperationVerbs.AddTo(tree);
        tree.DescribeGroups();
    }
}
