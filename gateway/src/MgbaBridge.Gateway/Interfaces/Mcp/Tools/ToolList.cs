using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>All tools, in the order in which clients show them.</summary>
internal static class ToolList
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<AgentTool> All { get; } =
    [
        ObserveTool.Tool,
        PressTool.Tool,
        SenseTool.Tool,
        PackTools.Go,
        PackTools.Talk,
        PackTools.Choose,
        MemoryTools.Read,
        MemoryTools.Write,
        SearchTool.Tool,
        WaitTool.Tool,
        StateTools.Save,
        StateTools.Load,
        StateTools.Rewind,
        ControlTools.Step,
        RecordTool.Tool,
        NotesTool.Tool,
        ControlTools.TakeControl,
        ControlTools.GiveBack,
        StatusTool.Tool,
        EmulatorTools.List,
        EmulatorTools.Start,
        DebugTools.Break,
        DebugTools.Step,
        DebugTools.Where,
        DebugTools.Disassemble,
        DebugTools.Hardware,
        DebugTools.WhoWrote,
        DebugTools.Trace,
        MoreTools.Tool,
    ];

    /// <summary>The tools that a client may call.</summary>
    /// <param name="toolsets">What it has asked for.</param>
    public static IEnumerable<AgentTool> Of(Toolsets toolsets) => All.Where(tool => toolsets.HasFlag(tool.Toolset));

    /// <summary>Those of them that it sees.</summary>
    public static IEnumerable<AgentTool> Listed(Toolsets toolsets) => Of(toolsets).Where(tool => !tool.IsRare || !toolsets.HasFlag(Toolsets.Compact));

    /// <summary>The call that does an operation, as the beginning of a sentence; a model cannot do all of them.</summary>
    public static string CallOf(Toolsets toolsets, Operation operation) => Of(toolsets).FirstOrDefault(tool => tool.Serves.ContainsKey(operation)) is { } tool
        ? tool.IsRare && toolsets.HasFlag(Toolsets.Compact) ? $"call more_tools to execute {tool.Name}{tool.Serves[operation]}, which" : $"call {tool.Name}{tool.Serves[operation]}, which"
        : $"ask the person for the operation {operation.Name}, which";

    /// <summary>The tool of this name, or null.</summary>
    public static AgentTool? Find(string? name) => All.FirstOrDefault(tool => tool.Name == name);
}
