using MgbaBridge.Gateway.Api.Game;
using MgbaBridge.Gateway.Api.Keys;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.Recordings;
using MgbaBridge.Gateway.Api.Registers;
using MgbaBridge.Gateway.Api.Screen;
using MgbaBridge.Gateway.Api.Search;
using MgbaBridge.Gateway.Api.States;
using MgbaBridge.Gateway.Api.Waits;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary>Every operation as a verb: <c>keys.tap</c> is <c>keys tap</c>.</summary>
internal static class OperationVerbs
{
    private const int SwitchingProtocols = 101;

    // a resource alone is one of these operations
    private static readonly string[] Defaults = [".list", ".get"];

    // short names of what people do most
    private static readonly Dictionary<string, string> ShortNames = new()
    {
        ["tap"] = "keys.tap",
        ["wait"] = "wait.until",
        ["search"] = "searches.start",
        ["record"] = "recordings.start",
        ["replay"] = "recordings.replay",
    };

    // other names of resources
    private static readonly Dictionary<string, string> Resources = new() { ["search"] = "searches", ["record"] = "recordings" };

    // the operations that may be meant by a first word: the declarations of all operations take longer than a request
    private static readonly Dictionary<string, Func<IReadOnlyList<Operation>>> Lists = new()
    {
        ["tap"] = static () => KeyOperations.All,
        ["keys"] = static () => KeyOperations.All,
        ["wait"] = static () => WaitOperations.All,
        ["game"] = static () => GameOperations.All,
        ["screen"] = static () => ScreenOperations.All,
        ["registers"] = static () => RegisterOperations.All,
        ["state"] = static () => StateOperations.All,
        ["search"] = static () => SearchOperations.All,
        ["record"] = static () => RecordingOperations.All,
        ["replay"] = static () => RecordingOperations.All,
        ["rewind"] = static () => RewindOperations.All,
    };

    /// <summary>The first words whose verbs are made of some operations alone.</summary>
    public static IEnumerable<string> ShortLists => Lists.Keys;

    /// <summary>Adds them.</summary>
    public static void AddTo(VerbTree tree)
    {
        if (!tree.HasMatch)
        {
            AddTo(tree, tree.FirstWord is { } word && Lists.TryGetValue(word, out var list) ? list() : OperationCatalog.All);
        }
    }

    /// <summary>Adds those of some operations.</summary>
    internal static void AddTo(VerbTree tree, IReadOnlyList<Operation> all)
    {
        var operations = all.Where(operation => !operation.OtherResponses.Any(response => response.Status == SwitchingProtocols)).ToArray();
        foreach (var (name, target) in ShortNames)
        {
            if (operations.FirstOrDefault(operation => operation.Name == target) is { } operation)
            {
                Add(tree, name, operation);
            }
        }

        foreach (var operation in operations)
        {
            Add(tree, Path(operation.Name), operation);
        }

        foreach (var (name, resource) in Resources)
        {
            foreach (var operation in operations.Where(operation => operation.Name.StartsWith($"{resource}.", StringComparison.Ordinal)))
            {
                Add(tree, Path($"{name}{operation.Name[resource.Length..]}"), operation);
            }
        }

        foreach (var end in Defaults)
        {
            foreach (var operation in operations.Where(operation => operation.Name.EndsWith(end, StringComparison.Ordinal)))
            {
                Add(tree, Path(operation.Name[..^end.Length]), operation);
            }
        }
    }

    private static string Path(string name) => string.Join(' ', name.Split('.').Select(OperationFields.Kebab));

    private static void Add(VerbTree tree, string path, Operation operation) =>
        tree.Add(path, operation.Summary, command => new OperationVerb(operation).Complete(command));
}
