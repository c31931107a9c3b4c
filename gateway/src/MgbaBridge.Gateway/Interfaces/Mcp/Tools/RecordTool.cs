using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Recordings;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Records the keys of everyone, for tests and replays.</summary>
internal static class RecordTool
{
    public static AgentTool Tool { get; } = new AgentTool<(RecordAction Action, string? Recording), RecordedAnswer>("record", Access.Play)
    {
        Title = "Record key presses",
        IsRare = true,
        Serves = new Dictionary<Operation, string> { [RecordingOperations.List] = " with action list", [RecordingOperations.Delete] = " with action delete" },
        Description = "Records the keys of every frame, of all players, with hashes of memory, so that the same play can be repeated and compared. start begins, stop ends; the person downloads a "
            + "recording with `mgba-bridge record download ID` and replays it with `mgba-bridge replay FILE`.",
        Request = Parameters.Of(
            Parameter.Choice<RecordAction>("action", "What to do."),
            RecordingOperations.Id.Optional() with { Sentence = "The id that start returned, for stop and delete; the newest one unless given." },
            static (action, recording) => (action, recording)),
        Run = RunAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<RecordedAnswer> RunAsync(ToolCall call, (RecordAction Action, string? Recording) request)
    {
        var (action, recording) = request;
        call.Note = $"{action.ToString().ToLowerInvariant()} {recording}".TrimEnd();
        var all = (await call.RunAsync(RecordingOperations.List, default)).Recordings;
        if (action is RecordAction.Stop or RecordAction.Delete)
        {
            var id = recording ?? (all.Count > 0 ? all[^1].Id : throw new ToolException("There is no recording.", "call record with action start."));
            return new RecordedAnswer([await call.RunAsync(action == RecordAction.Stop ? RecordingOperations.Stop : RecordingOperations.Delete, id)]);
        }

        return new RecordedAnswer(action == RecordAction.List ? all : [await call.RunAsync(RecordingOperations.Start, (RecordingOperations.DefaultInterval, null))]);
    }
}

/// <summary>What to do with recordings.</summary>
internal enum RecordAction
{
    Start,
    Stop,
    List,
    Delete,
}

/// <summary>Recordings.</summary>
/// <param name="Recordings">The one that the call is about, or all.</param>
internal sealed record RecordedAnswer(IReadOnlyList<RecordingAnswer> Recordings);
