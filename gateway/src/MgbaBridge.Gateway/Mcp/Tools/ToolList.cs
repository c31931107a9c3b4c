namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>All tools, in the order in which clients show them.</summary>
internal static class ToolList
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<AgentTool> All { get; } =
    [
        new ObserveTool(),
        new PressTool(),
        new ReadTool(),
        new WriteTool(),
        new SearchTool(),
        new WaitTool(),
        new SaveTool(),
        new LoadTool(),
        new RewindTool(),
        new StepTool(),
        new RecordTool(),
        new NotesTool(),
        new TakeControlTool(),
        new GiveBackTool(),
        new StatusTool(),
        new EmulatorsTool(),
        new StartEmulatorTool(),
    ];

    /// <summary>The tool of this name, or null.</summary>
    public static AgentTool? Find(string? name) => All.FirstOrDefault(tool => tool.Name == name);
}
