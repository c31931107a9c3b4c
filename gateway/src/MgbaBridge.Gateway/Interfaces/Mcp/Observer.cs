using System.Text.Json.Nodes;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Engines.Video;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Symbols;
using MgbaBridge.Gateway.Operations.Video;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>Looks at the game for a model: the picture, the keys and the watched values, and what of it is new.</summary>
internal static class Observer
{
    // the script's code where the emulator draws nothing

    // base64, and the JSON around the picture
    private const int Overhead = 1_024;

    /// <summary>The parameters of an observation.</summary>
    public static Parameters<ObserveRequest> Request { get; } = Parameters.Of(
        Parameter.Choice<PictureMode>("picture", "full for the whole picture, changes for only the part that has changed since the last observation, none for no picture.").Or(PictureMode.Full),
        Parameter.Integer("scale", 1, 4, "How many times as large the picture is. 2 makes small text easier to read and takes more tokens.").Or(1),
        Parameter.Texts("watch", $"The values to report from now on with every observation; an empty list ends that. {TypedPlace.ExpectedFormat}", 0, 32, maxLength: 200).Optional(),
        static (picture, scale, watch) => new ObserveRequest(picture, scale, watch));

    /// <summary>Observes the game. The picture is that of the call.</summary>
    /// <exception cref="ToolException">The emulator cannot be observed.</exception>
    public static async Task<SeenAnswer> ObserveAsync(ToolCall call)
    {
        var (memory, request) = (call.Memory, call.Observe);
        var names = request.Watch ?? memory.Watched;
        var context = call.Context;
        var screen = request.Picture == PictureMode.None ? default : context.SendAsync(new ReadScreen(), static reply => IndexedPicture.Of(reply.Tail.Span)).Preserve();
        var keys = context.SendAsync(new ReadKeys(), KeysAnswer.Of).Preserve();
        var game = await GameNames.OfAsync(call);
        var values = await ValuesAsync(call, game, names);
        var text = game.Names.Properties?.TextTables.ContainsKey(ScreenText.TableName) == true ? (await call.RunAsync(VideoOperations.Text, default)).Lines : [];
        memory.Watched = names;
        var (down, shown) = (call.ResultOf(await keys), await screen);
        return shown.Refusal is { Failure.Code: not RefusalCode.Unsupported } refusal ? throw NextSteps.Of(refusal, call.Emulator) : Answer(call, down, shown, values) with { Text = text.Count > 0 ? text : null };
    }

    /// <summary>Who else holds keys down: names with their keys; null for nobody.</summary>
    public static IReadOnlyDictionary<string, string>? Holders(KeysAnswer down, Holder? except = null)
    {
        var held = down.Holders.Where(held => held.Holder != except?.Name && held.Keys.Count > 0).ToDictionary(held => held.Holder, held => held.Keys.ToString());
        return held.Count > 0 ? held : null;
    }

    private static SeenAnswer Answer(ToolCall call, KeysAnswer down, Result<IndexedPicture?> shown, Dictionary<string, JsonNode?>? values)
    {
        var memory = call.Memory;
        var (frame, epoch) = shown is { Refusal: null, Frame: { } at } ? (at, shown.Epoch) : (down.Frame, down.Epoch);
        var before = memory.Last is { } last && last.Epoch == epoch ? last : null;
        var picture = shown.Value;
        var (part, png, note) = picture is null
            ? (null, (ReadOnlyMemory<byte>?)null, shown.Refusal?.Detail)
            : Draw(picture, before?.Picture, call.Observe, call.Settings.ResponseBudget);
        var texts = values?.ToDictionary(value => value.Key, value => value.Value?.ToJsonString() ?? "null") ?? [];
        var changes = before is null ? null : texts.Where(now => before.Values.TryGetValue(now.Key, out var then) && then != now.Value)
            .ToDictionary(now => now.Key, now => $"{before.Values[now.Key]} -> {now.Value}");
        memory.Last = new Observation(epoch, frame, picture ?? before?.Picture, texts);
        (call.Frame, call.Png) = (frame, png);
        return new SeenAnswer(
            call.Emulator.Id, frame, epoch.ToString(), [.. down.Keys.ToString().Split('+', StringSplitOptions.RemoveEmptyEntries)], Holders(down, except: call.Session.Holder), part,
            values, changes is { Count: > 0 } ? changes : null, before is null ? null : frame - before.Frame, memory.Control is not null, note);
    }

    private static async Task<Dictionary<string, JsonNode?>?> ValuesAsync(ToolCall call, GameContext game, IReadOnlyList<string> names)
    {
        if (names.Count == 0)
        {
            return null;
        }

        string[] distinct = [.. names.Distinct()];
        var read = await game.ReadAsync(call, distinct);
        return distinct.Zip(read.Values).ToDictionary(pair => pair.First, pair => GameNames.JsonOf(pair.Second));
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
