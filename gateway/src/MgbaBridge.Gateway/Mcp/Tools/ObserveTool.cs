using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Shows the game.</summary>
internal sealed class ObserveTool : AgentTool
{
    [SetsRequiredMembers]
    public ObserveTool()
        : base("observe", Access.Read)
    {
        Title = "Look at the game";
        Description = "Returns the picture of the game, its frame, the keys that are down, the values that you watch, and what has changed since you looked last. Changes nothing.";
        Parameters = Observer.Parameters;
        IsIdempotent = true;
        Output = ToolJson.Default.SeenAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var (seen, png) = await Observer.LookAsync(call);
        return Result(seen, png);
    }
}
