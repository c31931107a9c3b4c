using System.Text.Json.Nodes;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Packs;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Agents;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>Looks at the game for a model: the picture, the keys and the watched values, and what of it is new.</summary>
internal static class Observer
{
    // base64, and the JSON around the picture
    private const int Overhead = 1_024;

    /// <summary>The parameters of an observation.</summary>
    public static Parameters<ObserveRequest> Request { get; } = Parameters.Of(
        Parameter.Choice<PictureMode>("picture", "full for the whole picture, changes for only the part that has changed since the last observation, none for no picture.").Or(PictureMode.Full),
        Parameter.Integer("scale", 1, 4, "How many times as large the picture is. 2 makes small text easier to read and takes more tokens.").Or(1),
        Parameter.Texts("watch", $"The values to report from now on with every observation; an empty list ends that. {TypedPlace.ExpectedFormat}", 0, 32, maxLength: 200).Optional() with { Example = "0x02000000 u32" },
        static (picture, scale, watch) => new ObserveRequest(picture, scale, watch));

    /// <summary>Observes the game. The picture is that of the call.</summary>
    /// <exception cref="ToolException">The emulator cannot be observed.</exception>
    public static async Task<SeenAnswer> ObserveAsync(ToolCall call)
    {
        var (memory, request) = (call.Memory, call.Observe);
        var names = request.Watch ?? memory.Watched;
        var game = await GameNames.OfAsync(call);
        string[] distinct = [.. names.Distinct()];
        var wanted = game.FindAll(call, distinct);
        var (scene, wrong) = (default(SceneReader), default(string));
        if (game.Names.Properties?.Pack is { } pack && (wrong = SceneReader.Find(pack, game.Names, out scene)) is null)
        {
            wanted = [.. wanted, .. scene.Wanted];
        }

        var view = call.ResultOf(await GameView.ReadAsync(call.Invocation, game, wanted, request.Picture != PictureMode.None));
        memory.Watched = names;
        var seen = Answer(call, view, distinct.Zip(view.Values).ToDictionary(static one => one.First, static one => GameNames.JsonOf(one.Second)));
        return scene is null || wrong is not null ? seen with { Note = Join(seen.Note, wrong) } : WithScene(call, seen, scene.Read([.. view.Values.Skip(distinct.Length)]), game);
    }

    /// <summary>Who else holds keys down: names with their keys; null for nobody.</summary>
    public static IReadOnlyDictionary<string, string>? Holders(KeysAnswer down, Holder? except = null)
    {
        var held = down.Holders.Where(held => held.Holder != except?.Name && held.Keys.Count > 0).ToDictionary(held => held.Holder, held => held.Keys.ToString());
        return held.Count > 0 ? held : null;
    }

    private static SeenAnswer WithScene(ToolCall call, SeenAnswer seen, (GameScene? Scene, string? Wrong) read, GameContext game)
    {
        if (read.Scene is not { } scene)
        {
            return seen with { Note = Join(seen.Note, read.Wrong) };
        }

        var pack = game.Names.Properties!.Pack!;
        var reached = call.Session.Agent.Reach(seen.Emulator, game.Game.Title, pack.Milestones, scene.Reached, seen.Frame);
        return seen with { Scene = SceneAnswer.Of(scene, pack, reached) };
    }

    private static string? Join(string? one, string? other) => one is null || other is null ? one ?? other : $"{one} {other}";

    private static SeenAnswer Answer(ToolCall call, GameView view, Dictionary<string, JsonNode?> values)
    {
        var memory = call.Memory;
        var before = memory.Last is { } last && last.Epoch == view.Epoch ? last : null;
        var (part, png, note) = view.Picture is { } picture
            ? Draw(picture, before?.Picture, call.Observe, call.Settings.ResponseBudget)
            : (null, (ReadOnlyMemory<byte>?)null, view.NoPicture);
        var texts = values.ToDictionary(value => value.Key, value => value.Value?.ToJsonString() ?? "null");
        var changes = before is null ? null : texts.Where(now => before.Values.TryGetValue(now.Key, out var then) && then != now.Value)
            .ToDictionary(now => now.Key, now => $"{before.Values[now.Key]} -> {now.Value}");
        memory.Last = new Observation(view.Epoch, view.Frame, view.Picture ?? before?.Picture, texts);
        (call.Frame, call.Png) = (view.Frame, png);
        return new SeenAnswer(
            call.Emulator.Id, view.Frame, view.Epoch.ToString(), [.. view.Keys.Keys.ToString().Split('+', StringSplitOptions.RemoveEmptyEntries)], Holders(view.Keys, except: call.Session.Holder), part,
            values.Count > 0 ? values : null, changes is { Count: > 0 } ? changes : null, before is null ? null : view.Frame - before.Frame, memory.Control is not null, note)
        { Text = view.Text.Count > 0 ? view.Text : null };
    }

    /// <summary>As large as was asked for, unless that is beyond the budget: then smaller, then not at all.</summary>
    private static (PictureAnswer? Part, ReadOnlyMemory<byte>? Png, string? Note) Draw(IndexedPicture picture, IndexedPicture? before, ObserveRequest request, int budget)
    {
        var region = request.Picture == PictureMode.Changes && before is not null ? picture.Difference(before) : new PictureRegion(0, 0, picture.Width, picture.Height);
        if (region is not { } part)
        {
            return (null, null, "The picture has not changed since the last observation.");
        }

        for (var size = request.Scale; size >= 1; size--)
        {
            using var png = StreamPool.Rent("picture for an agent");
            picture.Write(part, size, png);
            if (((png.Length + 2) / 3 * 4) + Overhead <= budget)
            {
                return (new PictureAnswer(part.X, part.Y, part.Width, part.Height, size), png.ToArray(), size < request.Scale ? $"The picture is at scale {size}: larger ones are beyond Bridge:Mcp:ResponseBudget." : null);
            }
        }

        return (null, null, "The picture is left out: it is beyond Bridge:Mcp:ResponseBudget. Ask for picture changes, or for the setting to be raised.");
    }
}

/// <summary>What of the picture an observation has.</summary>
internal enum PictureMode
{
    Full,
    Changes,
    None,
}

/// <summary>What to observe.</summary>
/// <param name="Picture">What of the picture.</param>
/// <param name="Scale">How many times as large.</param>
/// <param name="Watch">The values to report from now on; null for those of the last observation.</param>
internal readonly record struct ObserveRequest(PictureMode Picture, int Scale, IReadOnlyList<string>? Watch);
