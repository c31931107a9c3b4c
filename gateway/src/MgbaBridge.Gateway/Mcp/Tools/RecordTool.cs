using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.Recordings;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Records the keys of everyone, for tests and replays.</summary>
internal sealed class RecordTool : AgentTool
{
    private const string Start = "start";
    private const string Stop = "stop";
    private const string List = "list";
    private const string Delete = "delete";

    [SetsRequiredMembers]
    public RecordTool()
        : base("record", Access.Play)
    {
        Title = "Record key presses";
        Description = "Records the keys of every frame, of all players, with hashes of memory, so that the same play can be repeated and compared. start begins, stop ends; the person downloads a "
            + "recording with `mgba-bridge record download ID` and replays it with `mgba-bridge replay FILE`.";
        Parameters =
        [
            new ToolParameter("action", ArgumentKind.Text, "start, stop, list, or delete.") { IsRequired = true, Choices = [Start, Stop, List, Delete] },
            new ToolParameter("recording", ArgumentKind.Text, "The id that start returned, for stop and delete; the newest one unless given.") { MaxLength = 32 },
        ];
        Output = ToolJson.Default.RecordedAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var action = call.Arguments.Text("action")!;
        call.Note = $"{action} {call.Arguments.Text("recording")}".TrimEnd();
        var all = (await call.RunAsync(RecordingOperations.List, default)).Recordings;
        if (action is Stop or Delete)
        {
            var id = call.Arguments.Text("recording") ?? (all.Count > 0 ? all[^1].Id : throw new ToolException("There is no recording.", "call record with action start."));
            return Result(new RecordedAnswer([await call.RunAsync(action == Stop ? RecordingOperations.Stop : RecordingOperations.Delete, id)]));
        }

        return Result(new RecordedAnswer(action == List ? all : [await call.RunAsync(RecordingOperations.Start, (RecordingOperations.DefaultInterval, null))]));
    }
}

/// <summary>Recordings.</summary>
/// <param name="Recordings">The one that the call is about, or all.</param>
internal sealed record RecordedAnswer(IReadOnlyList<RecordingAnswer> Recordings);
