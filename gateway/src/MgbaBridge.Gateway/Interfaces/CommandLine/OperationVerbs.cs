using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Interfaces.WebSockets;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>Every operation as a verb: <c>keys.tap</c> is <c>keys tap</c>.</summary>
internal static class OperationVerbs
{
    // a resource alone is one of these operations
    private static readonly string[] Defaults = ["list", "get"];

    // short names of what people do most
    private static readonly Dictionary<string, string> ShortNames = new()
    {
        ["tap"] = "keys.tap",
        ["screenshot"] = "screen.get",
        ["wait"] = "wait.until",
        ["search"] = "searches.start",
        ["record"] = "recordings.start",
        ["replay"] = "recordings.replay",
    };

    // other names of resources
    private static readonly Dictionary<string, string> Resources = new() { ["search"] = "searches", ["record"] = "recordings" };

    private static IEnumerable<Operation> Operations => OperationCatalog.All.Where(operation => operation != WebSocketEndpoint.Connect);

    /// <summary>Adds the short names.</summary>
    public static void AddShortNamesTo(VerbTree tree)
    {
        foreach (var operation in Operations)
        {
            foreach (var (name, _) in ShortNames.Where(shorter => shorter.Value == operation.Name))
            {
                Add(tree, name, operation);
            }
        }
    }

    /// <summary>Adds all by their names.</summary>
    public static void AddTo(VerbTree tree)
    {
        var operations = Operations.ToArray();
        foreach (var operation in operations)
        {
            Add(tree, Path(operation.Name), operation);
        }

        foreach (var (name, resource) in Resources)
        {
            foreach (var operation in operations.Where(operation => operation.Parts.Resource == resource))
            {
                Add(tree, Path($"{name}.{operation.Parts.Verb}"), operation);
            }
        }

        foreach (var verb in Defaults)
        {
            foreach (var operation in operations.Where(operation => operation.Parts.Verb == verb))
            {
                Add(tree, Path(operation.Parts.Resource), operation);
            }
        }
    }

    /// <summary>The words of an operation's verb.</summary>
    public static string Path(string name) => string.Join(' ', name.Split('.').Select(OperationFields.Kebab));

    private static void Add(VerbTree tree, string path, Operation operation) =>
        tree.Add(path, operation.Summary, command => new OperationVerb(operation).Complete(command));
}
