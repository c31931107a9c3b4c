using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Reaches the tools that a client does not see because it has asked for few.</summary>
internal static class MoreTools
{
    private const int MaxName = 64;

    public static AgentTool Tool { get; } = new AgentTool<MoreRequest, MoreAnswer>("more_tools", Access.Read)
    {
        Title = "Use a rare tool",
        Description = "Reaches tools that are not listed: memory writes and searches, recordings, rewinding, sensors, other emulators and such. search names them, info has the arguments of one, execute calls it and returns its result.",
        Toolset = Toolsets.Compact,
        UsesEmulator = false,
        IsReadOnly = false,
        IsDestructive = true,
        Request = Parameters.Of(
            Parameter.Choice<MoreAction>("action", "What to do.").Or(MoreAction.Search),
            Parameter.Text("query", "For search: a word of their names and descriptions; all of them unless given.", MaxName).Optional(),
            Parameter.Text("tool", "For info and execute: the name of the tool.", MaxName).Optional(),
            Parameter.Json<JsonElement>("arguments", "an object with the arguments of the tool", ToolJson.Default, "For execute: the arguments of the tool, as info describes them; none unless given.").Optional(),
            static Made<MoreRequest> (action, query, tool, arguments) => action != MoreAction.Search && tool is null
                ? new WrongParameters($"{action.ToString().ToLowerInvariant()} needs tool, the name of a tool; search names them.")
                : arguments is { ValueKind: not JsonValueKind.Object } ? new WrongParameters("arguments is no object; expected the arguments of the tool, as info describes them.")
                : new MoreRequest(action, query, tool, arguments)),
        Run = static (call, request) => Task.FromResult(Answer(call, request)),
        Answer = ToolJson.Default,
    };

    /// <summary>The tool that a call executes, and its arguments; null for a call that does not.</summary>
    /// <exception cref="ToolException">There is none of this name.</exception>
    public static (AgentTool Tool, IEnumerable<KeyValuePair<string, JsonElement>> Arguments)? TargetOf(ToolArguments arguments, Toolsets toolsets)
    {
        var request = arguments.Read(((AgentTool<MoreRequest, MoreAnswer>)Tool).Request);
        return request.Action != MoreAction.Execute ? null
            : (Find(request.Tool!, toolsets), request.Arguments?.EnumerateObject().Select(static property => KeyValuePair.Create(property.Name, property.Value)) ?? []);
    }

    private static MoreAnswer Answer(ToolCall call, MoreRequest request)
    {
        call.Note = $"{request.Action} {request.Tool ?? request.Query}".TrimEnd().ToLowerInvariant();
        return request.Action == MoreAction.Info
            ? Answer([Find(request.Tool!, call.Toolsets)], withParameters: true)
            : Answer(Rare(call.Toolsets).Where(tool => request.Query is not { } word || tool.Name.Contains(word, StringComparison.OrdinalIgnoreCase) || tool.Description.Contains(word, StringComparison.OrdinalIgnoreCase)), withParameters: false);
    }

    private static MoreAnswer Answer(IEnumerable<AgentTool> tools, bool withParameters) =>
        new([.. tools.Select(tool => new MoreToolAnswer(tool.Name, withParameters ? tool.Description : tool.Title, withParameters ? JsonNode.Parse(tool.InputSchema().GetRawText()) : null))]);

    private static AgentTool Find(string name, Toolsets toolsets) => ToolList.Of(toolsets).FirstOrDefault(tool => tool.Name == name && tool != Tool)
        ?? throw new ToolException($"There is no tool {Parameter.Quote(name)}. Those that are not listed are {string.Join(", ", Rare(toolsets).Select(static tool => tool.Name))}.", "call more_tools again with one of them.");

    private static IEnumerable<AgentTool> Rare(Toolsets toolsets) => ToolList.Of(toolsets).Where(static tool => tool.IsRare);
}

/// <summary>What to do with tools that are not listed.</summary>
internal enum MoreAction
{
    Search,
    Info,
    Execute,
}

/// <summary>A call of the tool.</summary>
internal readonly record struct MoreRequest(MoreAction Action, string? Query, string? Tool, JsonElement? Arguments);

/// <summary>Tools.</summary>
/// <param name="Tools">Those that were found; of execute the result is that of the tool instead.</param>
internal sealed record MoreAnswer(IReadOnlyList<MoreToolAnswer>? Tools);

/// <summary>A tool.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Description">What it does.</param>
/// <param name="Parameters">The schema of its arguments, of info.</param>
internal sealed record MoreToolAnswer(string Name, string Description, JsonNode? Parameters);
