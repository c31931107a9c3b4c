using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Mcp.Tools;

/// <summary>Keeps notes about the game.</summary>
internal sealed class NotesTool : AgentTool
{
    private const string Read = "read";
    private const string Append = "append";
    private const string Replace = "replace";

    [SetsRequiredMembers]
    public NotesTool()
        : base("notes", Access.Play)
    {
        Title = "Notes about the game";
        Description = "Reads or changes the notes about this game, which survive sessions and restarts: goals, addresses that you have found, what to avoid. Read them first when you begin to play.";
        Parameters =
        [
            new ToolParameter("action", ArgumentKind.Text, "read (default), append to add a text at the end, or replace.") { Choices = [Read, Append, Replace] },
            new ToolParameter("text", ArgumentKind.Text, "The text to append, or the new notes.") { MaxLength = 65_536 },
        ];
        Output = ToolJson.Default.NotesAnswer;
    }

    /// <inheritdoc/>
    public override async Task<ToolResult> RunAsync(ToolCall call)
    {
        var action = call.Arguments.Text("action") ?? Read;
        var text = call.Arguments.Text("text");
        if (action != Read && text is null)
        {
            throw new ToolException($"{action} needs the argument text.", "say what to note.");
        }

        call.Note = action;
        var game = await GameNames.OfAsync(call);
        var notes = call.Single<GameNotes>();
        return Result(new NotesAnswer(game.Game.Title, action == Read ? notes.Read(game.Game.Crc32) : notes.Write(game.Game.Crc32, text!, action == Append)));
    }
}

/// <summary>The notes about a game.</summary>
/// <param name="Title">The game's title.</param>
/// <param name="Notes">The notes; empty for none.</param>
internal sealed record NotesAnswer(string Title, string Notes);
