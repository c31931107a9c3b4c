using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Keeps notes about the game.</summary>
internal static class NotesTool
{
    public static AgentTool Tool { get; } = new AgentTool<(NotesAction Action, string? Text), NotesAnswer>("notes", Access.Play)
    {
        RunsInTurn = false,
        Title = "Notes about the game",
        IsShared = true,
        Description = "Reads or changes the notes about this game, which survive sessions and restarts: goals, addresses that you have found, what to avoid. Read them first when you begin to play.",
        Request = Parameters.Of(
            Parameter.Choice<NotesAction>("action", "read, append to add a text at the end, or replace.").Or(NotesAction.Read),
            Parameter.Text("text", "The text to append, or the new notes.", 65_536, minLength: 0).Optional(),
            static Made<(NotesAction, string?)> (action, text) => action == NotesAction.Read || text is not null ? (action, text) : new WrongParameters("append and replace need a text.")),
        Run = RunAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<NotesAnswer> RunAsync(ToolCall call, (NotesAction Action, string? Text) request)
    {
        call.Note = request.Action.ToString().ToLowerInvariant();
        var game = await GameNames.OfAsync(call);
        var notes = call.Get<GameNotes>();
        return new NotesAnswer(
            game.Game.Title, request.Action == NotesAction.Read ? notes.Read(game.Game.Crc32) : notes.Write(game.Game.Crc32, request.Text!, request.Action == NotesAction.Append));
    }
}

/// <summary>What to do with notes.</summary>
internal enum NotesAction
{
    Read,
    Append,
    Replace,
}

/// <summary>The notes about a game.</summary>
/// <param name="Title">The game's title.</param>
/// <param name="Notes">The notes; empty for none.</param>
internal sealed record NotesAnswer(string Title, string Notes);
