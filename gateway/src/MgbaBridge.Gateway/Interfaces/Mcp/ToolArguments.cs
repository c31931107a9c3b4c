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
            throw Wrong(Parameter.Unknown(unknown, known));
        }
    }

    /// <summary>Reads some parameters of the tool.</summary>
    /// <exception cref="ToolException">With what is wrong, and what is expected.</exception>
    public T Read<T>(Parameters<T> parameters)
    {
        try
        {
            return parameters.ReadArguments(ArgumentOf, out var request) is { } wrong ? throw Wrong(wrong) : request;
        }
        catch (InvalidOperationException exception)
        {
            throw Wrong(exception.Message); // half of a surrogate pair
        }
    }

    private JsonElement? ArgumentOf(Parameter parameter) => _given.TryGetValue(parameter.Name, out var value) && value.ValueKind != JsonValueKind.Null ? value : null;

    private ToolException Wrong(string problem) => new(problem, $"call {_tool.Name} again with other arguments.");
}
