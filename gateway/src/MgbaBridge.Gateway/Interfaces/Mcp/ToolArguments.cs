using System.Text.Json;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>The arguments of a call, from which parameters are read.</summary>
internal sealed class ToolArguments
{
    private readonly AgentTool _tool;
    private readonly Dictionary<string, JsonElement> _given;

    /// <summary>Checks the names of arguments. One that is null is not given.</summary>
    /// <exception cref="ToolException">The tool has no parameter of a name.</exception>
    public ToolArguments(AgentTool tool, IEnumerable<KeyValuePair<string, JsonElement>>? given)
    {
        (_tool, _given) = (tool, new(given ?? []));
        string[] known = [.. tool.Parameters.Select(parameter => parameter.Name)];
        if (_given.Keys.FirstOrDefault(name => !known.Contains(name)) is { } unknown)
        {
            throw new ToolException(
                Parameter.Unknown(unknown, known),
                Parameter.Meant(unknown, known) is { } meant && !_given.ContainsKey(meant) ? $"call {tool.Name} again, with {Shown(meant)}: {Shown(_given[unknown])} for it." : $"call {tool.Name} again without {Shown(unknown)}.");
        }
    }

    /// <summary>Reads some parameters of the tool.</summary>
    /// <exception cref="ToolException">With what is wrong, and what would work.</exception>
    public T Read<T>(Parameters<T> parameters)
    {
        Parameter? at = null;
        try
        {
            return parameters.ReadArguments(ArgumentOf, out var request, out at) is { } wrong ? throw Wrong(wrong, at) : request;
        }
        catch (InvalidOperationException exception)
        {
            throw Wrong(exception.Message, at); // half of a surrogate pair
        }
    }

    private JsonElement? ArgumentOf(Parameter parameter) => _given.TryGetValue(parameter.Name, out var value) && !ArgumentForm.IsAbsent(value, parameter) ? value : null;

    private ToolException Wrong(string problem, Parameter? at) => new(
        problem, at is not null && ArgumentForm.Example(at) is { } example ? $"call {_tool.Name} again, for example with \"{at.Name}\": {example}." : $"call {_tool.Name} again with other arguments.");

    private static string Shown(string name) => Parameter.Quote(name);

    private static string Shown(JsonElement value) => value.GetRawText() is { Length: <= Parameter.MaxQuoted } text ? text : "the same";
}
