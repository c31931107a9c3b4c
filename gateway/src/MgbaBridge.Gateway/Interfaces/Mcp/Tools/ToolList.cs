namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>All tools, in the order in which clients show them.</summary>
internal static class ToolList
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<AgentTool> All { get; } =
    [
        ObserveTool.Tool,
        PressTool.Tool,
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
    ];

    /// <summary>The tool of this name, or null.</summary>
    public static AgentTool? Find(string? name) => All.FirstOrDefault(tool => tool.Name == name);
}
