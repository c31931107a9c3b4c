using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Shows the game.</summary>
internal static class ObserveTool
{
    public static AgentTool Tool { get; } = new AgentTool<NoParameters, SeenAnswer>("observe", Access.Read)
    {
        Title = "Look at the game",
        Description = "Returns the picture of the game, its frame, the keys that are down, the values that you watch, and what has changed since you looked last, all of one frame. Changes nothing.",
        IsIdempotent = true,
        Observes = true,
        Request = Parameters.None,
        Run = static (call, _) => Observer.ObserveAsync(call),
        Answer = ToolJson.Default,
    };
}
