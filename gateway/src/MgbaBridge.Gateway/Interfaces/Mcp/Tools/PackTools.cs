using MgbaBridge.Engines.Packs;
using MgbaBridge.Gateway.Interfaces.Mcp.Packs;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Tools;

/// <summary>Walks, talks and chooses in games that have a pack.</summary>
internal static class PackTools
{
    private const string Control = "It takes control of the game for this call unless you have it; nothing stays pressed.";

    public static AgentTool Go { get; } = new AgentTool<(string To, int Frames), WentAnswer>("go", Access.Control)
    {
        Title = "Walk somewhere",
        Description = $"Walks to a position, a thing or another map, around what is in the way, and returns what the game then shows. It stops when a text box or a menu opens, when keys do not move the player, or when no way leads there, and says why. {Control}",
        Observes = true,
        RunsFrames = true,
        NeedsPack = true,
        Request = Parameters.Of(
            Parameter.Text("to", "Where to: a position on this map in the game's units (\"120,96\"), the name of a thing (\"Mira\"), or of a map (\"meadow\"), as observe lists them.", maxLength: 200) with { Example = "120,96" },
            Parameter.Integer("frames", 1, 36_000, "After how many frames (60 are a second) to stop.").Or(3_600),
            static (to, frames) => (to, frames)),
        Run = GoAsync,
        Answer = ToolJson.Default,
    };

    public static AgentTool Talk { get; } = new AgentTool<(string? To, string? Answer), TalkedAnswer>("talk", Access.Control)
    {
        Title = "Talk",
        Description = $"Walks to somebody or something and talks to it, or reads on in the text box that is open; returns what was said, page by page, until the text box closes or a question is asked. {Control}",
        Observes = true,
        RunsFrames = true,
        NeedsPack = true,
        Request = Parameters.Of(
            Parameter.Text("to", "To whom or what; the open text box unless given.", maxLength: 200).Optional(),
            Parameter.Text("answer", "The option to take when a question is asked; without it the question stays open for choose.", maxLength: 200).Optional(),
            static (to, answer) => (to, answer)),
        Run = TalkAsync,
        Answer = ToolJson.Default,
    };

    public static AgentTool Choose { get; } = new AgentTool<string, TalkedAnswer>("choose", Access.Control)
    {
        Title = "Choose an option",
        Description = $"Takes an option of the menu or question that is open, and returns what is said then. {Control}",
        Observes = true,
        RunsFrames = true,
        NeedsPack = true,
        Request = Parameters.Of(Parameter.Text("option", "The option, as observe lists it.", maxLength: 200)),
        Run = ChooseAsync,
        Answer = ToolJson.Default,
    };

    private static async Task<WentAnswer> GoAsync(ToolCall call, (string To, int Frames) request)
    {
        call.Note = request.To;
        string? why;
        long frames;
        await using (var play = await ScenePlay.BeginAsync(call))
        {
            why = await WalkAsync(play, await play.SceneAsync(), request.To, talks: false, request.Frames);
            frames = play.Frames;
        }

        return new WentAnswer(why is null, why, frames, await Observer.ObserveAsync(call));
    }

    private static Task<string?> WalkAsync(ScenePlay play, GameScene scene, string to, bool talks, int frames)
    {
        if (scene.IsOpen)
        {
            throw new ToolException("A text box or a menu is open.", "call talk without \"to\", or choose, then try again.");
        }

        var place = scene.Place ?? throw (play.Pack.Player is null
            ? new ToolException("The game pack does not say where the player is.", "use press and observe.")
            : new ToolException("The player is on no map now.", "call observe, or wait_until the player is on a map."));
        return new Walk(play, WalkGoal.Of(to, play.Pack, place), talks, frames).RunAsync();
    }

    private static async Task<TalkedAnswer> TalkAsync(ToolCall call, (string? To, string? Answer) request)
    {
        call.Note = request.To;
        string? why = null;
        Conversation conversation;
        await using (var play = await ScenePlay.BeginAsync(call))
        {
            conversation = new Conversation(play);
            var scene = await play.SceneAsync();
            if (request.To is { } to)
            {
                why = await WalkAsync(play, scene, to, talks: true, PressTool.MaxFrames);
                if (why is null && !await conversation.OpenAsync())
                {
                    why = $"{to} says nothing.";
                }
            }
            else if (!scene.IsOpen)
            {
                throw new ToolException("No text box is open.", "call talk with \"to\", the name of who or what is to be talked to.");
            }

            why ??= await conversation.ReadAsync();
            if (why is null && request.Answer is { } answer && (await play.SceneAsync()).Menu is not null)
            {
                why = await conversation.ChooseAsync(answer) ?? await conversation.ReadAsync();
            }
        }

        return new TalkedAnswer(conversation.Pages, why, await Observer.ObserveAsync(call));
    }

    private static async Task<TalkedAnswer> ChooseAsync(ToolCall call, string option)
    {
        call.Note = option;
        Conversation conversation;
        await using (var play = await ScenePlay.BeginAsync(call))
        {
            conversation = new Conversation(play);
            if (await conversation.ChooseAsync(option) is { } wrong)
            {
                throw new ToolException(wrong, "call observe: where a menu is open, scene.menu has its options.");
            }

            await conversation.ReadAsync();
        }

        return new TalkedAnswer(conversation.Pages, null, await Observer.ObserveAsync(call));
    }
}

/// <summary>A walk.</summary>
/// <param name="Arrived">Whether the player is there.</param>
/// <param name="Why">Why it stopped before; absent when it arrived.</param>
/// <param name="Frames">How many frames it took.</param>
/// <param name="Seen">What the game shows now.</param>
internal sealed record WentAnswer(bool Arrived, string? Why, long Frames, SeenAnswer Seen);

/// <summary>What was said.</summary>
/// <param name="Said">The text, page by page.</param>
/// <param name="Why">Why it stopped before the end; absent when the text box has closed or asks a question, which is in seen.scene.menu.</param>
/// <param name="Seen">What the game shows now.</param>
internal sealed record TalkedAnswer(IReadOnlyList<string> Said, string? Why, SeenAnswer Seen);
