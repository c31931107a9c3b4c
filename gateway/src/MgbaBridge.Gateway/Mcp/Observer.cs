using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Symbols;
using MgbaBridge.Gateway.Buffers;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Pictures;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Mcp;

/// <summary>Looks at the game for a model: the picture, the keys and the watched values, and what of it is new.</summary>
internal static class Observer
{
    private const string Changed = "changes";
    private const string NoPicture = "none";
    private const int MaxScale = 4;

    // base64, and the JSON around the picture
    private const int Overhead = 1_024;

    private static readonly ToolParameter Picture = new("picture", ArgumentKind.Text, "full (default) for the whole picture, changes for only the part that has changed since the last look, none for no picture.")
    { Choices = ["full", Changed, NoPicture] };

    private static readonly ToolParameter Scale = new("scale", ArgumentKind.Integer, "How many times as large the picture is, 1 to 4; 1 unless given. 2 makes small text easier to read and takes more tokens.")
    { Min = 1, Max = MaxScale };

    private static readonly ToolParameter Watch = new("watch", ArgumentKind.Texts, $"The values to report from now on with every look; an empty list ends that. {TypedPlace.FormatHint}")
    { MaxLength = 200, MaxItems = 32 };

    /// <summary>The parameters of a look.</summary>
    public static IReadOnlyList<ToolParameter> Parameters { get; } = [Picture, Scale, Watch];

    /// <summary>Looks.</summary>
    /// <exception cref="ToolException">The emulator cannot be observed.</exception>
    public static async Task<(SeenAnswer Seen, ReadOnlyMemory<byte>? Png)> LookAsync(ToolCall call)
    {
        var (memory, mode) = (call.Memory, call.Arguments.Text(Picture.Name));
        var names = call.Arguments.Texts(Watch.Name) ?? memory.Watched;
        var screen = mode == NoPicture ? null : call.Emulator.SendAsync(new ReadScreen(), call.Options, call.Cancelled).AsTask();
        var keys = call.Emulator.SendAsync(new ReadKeys(), call.Options, call.Cancelled).AsTask();
        try
        {
            var game = await GameNames.OfAsync(call);
            var values = await ValuesAsync(call, game, names);
            var text = await ScreenText.ReadAsync(call, game);
            memory.Watched = names;
            using var down = await keys;
            using var shown = screen is null ? null : await screen;
            if ((down.Failure ?? shown?.Failure) is { Code: not "unsupported" } failure)
            {
                throw NextSteps.Of(failure, call.Emulator);
            }

            var (seen, png) = Answer(call, down, shown, values, mode);
            return (seen with { Text = text }, png);
        }
        catch
        {
            // the replies of what was sent have buffers to return
            await DisposeAsync(keys);
            await DisposeAsync(screen);
            throw;
        }
    }

    private static (SeenAnswer Seen, ReadOnlyMemory<byte>? Png) Answer(ToolCall call, Reply down, Reply? shown, Dictionary<string, JsonNode?>? values, string? mode)
    {
        var memory = call.Memory;
        var (mask, holders) = ReadKeys.Parse(down);
        var isShown = shown is { Failure: null };
        var (frame, epoch) = isShown ? (shown!.Frame, shown.Epoch) : (down.Frame, down.Epoch);
        var before = memory.Last is { } last && last.Epoch == epoch ? last : null;
        var picture = isShown ? IndexedOf(shown!) : null;
        var (part, png, note) = picture is null
            ? (null, (ReadOnlyMemory<byte>?)null, shown?.Failure?.Detail)
            : Draw(picture, before?.Picture, mode == Changed, (int)(call.Arguments.Integer(Scale.Name) ?? 1), call.Settings.ResponseBudget);
        var texts = values?.ToDictionary(value => value.Key, value => value.Value?.ToJsonString() ?? "null") ?? [];
        var changes = before is null ? null : texts.Where(now => before.Values.TryGetValue(now.Key, out var then) && then != now.Value)
            .ToDictionary(now => now.Key, now => $"{before.Values[now.Key]} -> {now.Value}");
        memory.Last = new Sight(epoch, frame, picture ?? before?.Picture, texts);
        call.Frame = frame;
        var others = holders.Where(held => held.Holder != call.Session.Holder.Name && held.Keys.Mask != 0).ToDictionary(held => held.Holder, held => held.Keys.ToString());
        return (new SeenAnswer(
            call.Emulator.Id, frame, Headers.Text(epoch), [.. mask.ToString().Split('+', StringSplitOptions.RemoveEmptyEntries)], others.Count > 0 ? others : null, part,
            values, changes is { Count: > 0 } ? changes : null, before is null ? null : frame - before.Frame, memory.Control is not null, note), png);
    }

    private static async Task<Dictionary<string, JsonNode?>?> ValuesAsync(ToolCall call, OpenGame game, IReadOnlyList<string> names)
    {
        if (names.Count == 0)
        {
            return null;
        }

        string[] distinct = [.. names.Distinct()];
        var read = await game.ReadAsync(call, distinct);
        return distinct.Zip(read.Values).ToDictionary(pair => pair.First, pair => GameNames.JsonOf(pair.Second));
    }

    private static IndexedPicture? IndexedOf(Reply shown)
    {
        if (!PngFile.TryRead(shown.Tail.Span, out var pixels))
        {
            return null;
        }

        using (pixels)
        {
            return IndexedPicture.Of(pixels);
        }
    }

    /// <summary>As large as was asked for, unless that is beyond the budget: then smaller, then not at all.</summary>
    private static (PictureAnswer? Part, ReadOnlyMemory<byte>? Png, string? Note) Draw(IndexedPicture picture, IndexedPicture? before, bool onlyChanges, int scale, int budget)
    {
        var region = onlyChanges && before is not null ? picture.Difference(before) : new PictureRegion(0, 0, picture.Width, picture.Height);
        if (region is not { } part)
        {
            return (null, null, "The picture has not changed since the last look.");
        }

        for (var size = scale; size >= 1; size--)
        {
            using var png = StreamPool.Rent("picture for an agent");
            picture.Write(part, size, png);
            if (((png.Length + 2) / 3 * 4) + Overhead <= budget)
            {
                return (new PictureAnswer(part.X, part.Y, part.Width, part.Height, size), png.ToArray(), size < scale ? $"The picture is at scale {size}: larger ones are beyond Bridge:Mcp:ResponseBudget." : null);
            }
        }

        return (null, null, "The picture is left out: it is beyond Bridge:Mcp:ResponseBudget. Ask for picture changes, or for the setting to be raised.");
    }

    private static async Task DisposeAsync(Task<Reply>? sent)
    {
        try
        {
            if (sent is not null)
            {
                (await sent).Dispose();
            }
        }
        catch (OperationCanceledException)
        {
            // it has no reply
        }
    }
}
