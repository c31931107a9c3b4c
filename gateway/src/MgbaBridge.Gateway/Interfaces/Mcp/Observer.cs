using System.Text.Json.Nodes;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Engines.Video;
using MgbaBridge.Gateway.Operations.Keys;
using MgbaBridge.Gateway.Operations;
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
        Parameter.Texts("watch", $"The values to report from now on with every observation; an empty list ends that. {TypedPlace.ExpectedFormat}", 0, 32, maxLength: 200).Optional(),
        static (picture, scale, watch) => new ObserveRequest(picture, scale, watch));

    /// <summary>Observes the game. The picture is that of the call.</summary>
    /// <exception cref="ToolException">The emulator cannot be observed.</exception>
    public static async Task<SeenAnswer> ObserveAsync(ToolCall call)
    {
        var (memory, request) = (call.Memory, call.Observe);
        var names = request.Watch ?? memory.Watched;
        var game = await GameNames.OfAsync(call);
        var view = await ReadAsync(call, game, [.. names.Distinct()]);
        memory.Watched = names;
        return Answer(call, view);
    }

    // all of it in one batch, and so of one frame; again while a pointer on the way to a value goes elsewhere
    private static async Task<View> ReadAsync(ToolCall call, GameContext game, string[] names)
    {
        var wanted = game.FindAll(call, names);
        var places = new ValueReaders(call.Emulator, game.IsGameBoy, wanted);
        var glyphs = game.Names.Properties?.TextTables.GetValueOrDefault(ScreenText.TableName);
        string? noPicture = null;
        for (var round = 0; round < ValueReaders.MaxRounds; round++)
        {
            var batch = new BatchItems();
            batch.Add(new ReadKeys(), ItemResultKind.Bytes);
            if (places.Next(out var command) is { } tooMany)
            {
                throw NextSteps.Of(tooMany, call.Emulator);
            }

            if (places.HasPlaces)
            {
                batch.Add(command, ItemResultKind.Bytes);
            }

            if (glyphs is not null)
            {
                VideoReader.AddTo(batch, game.IsGameBoy);
            }

            var hasPicture = call.Observe.Picture != PictureMode.None && noPicture is null;
            if (hasPicture)
            {
                batch.Add(new ReadScreen(), ItemResultKind.Bytes);
            }

            using var reply = await call.SendAsync(new RunBatch(batch));
            var results = new BatchReplies(reply);
            using var down = results.Next(call);
            var keys = KeysAnswer.Of(down);
            using var read = places.HasPlaces ? results.Next(call) : null;
            var values = places.Take(read?.Tail ?? default);
            using var shown = glyphs is null ? null : results.Next(call);
            var text = shown is null ? null : TextOf(call, VideoReader.Of(shown, game.IsGameBoy), glyphs!);
            var picture = hasPicture ? results.Picture(call, out noPicture) : null;
            if (values is not null)
            {
                return new View(reply.Frame, reply.Epoch, keys, ValuesOf(names, values), text is { Count: > 0 } ? text : null, picture, noPicture);
            }
        }

        throw new ToolException("The pointers on the way to the watched values went elsewhere each time they were followed.", "try again.");
    }

    private static IReadOnlyList<string> TextOf(ToolCall call, (VideoFrame? Frame, CommandFailure? Failure) video, TextTable glyphs) =>
        video.Frame is { } frame ? ScreenText.Of(frame, glyphs) : throw NextSteps.Of(video.Failure!, call.Emulator);

    private static Dictionary<string, JsonNode?>? ValuesOf(string[] names, IReadOnlyList<NamedValue> read) =>
        names.Length == 0 ? null : names.Zip(read).ToDictionary(static one => one.First, static one => GameNames.JsonOf(one.Second));

    /// <summary>Who else holds keys down: names with their keys; null for nobody.</summary>
    public static IReadOnlyDictionary<string, string>? Holders(KeysAnswer down, Holder? except = null)
    {
        var held = down.Holders.Where(held => held.Holder != except?.Name && held.Keys.Count > 0).ToDictionary(held => held.Holder, held => held.Keys.ToString());
        return held.Count > 0 ? held : null;
    }

    private static SeenAnswer Answer(ToolCall call, View view)
    {
        var memory = call.Memory;
        var before = memory.Last is { } last && last.Epoch == view.Epoch ? last : null;
        var (part, png, note) = view.Picture is { } picture
            ? Draw(picture, before?.Picture, call.Observe, call.Settings.ResponseBudget)
            : (null, (ReadOnlyMemory<byte>?)null, view.NoPicture);
        var texts = view.Values?.ToDictionary(value => value.Key, value => value.Value?.ToJsonString() ?? "null") ?? [];
        var changes = before is null ? null : texts.Where(now => before.Values.TryGetValue(now.Key, out var then) && then != now.Value)
            .ToDictionary(now => now.Key, now => $"{before.Values[now.Key]} -> {now.Value}");
        memory.Last = new Observation(view.Epoch, view.Frame, view.Picture ?? before?.Picture, texts);
        (call.Frame, call.Png) = (view.Frame, png);
        return new SeenAnswer(
            call.Emulator.Id, view.Frame, view.Epoch.ToString(), [.. view.Keys.Keys.ToString().Split('+', StringSplitOptions.RemoveEmptyEntries)], Holders(view.Keys, except: call.Session.Holder), part,
            view.Values, changes is { Count: > 0 } ? changes : null, before is null ? null : view.Frame - before.Frame, memory.Control is not null, note)
        { Text = view.Text };
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

/// <summary>What the game showed in one frame.</summary>
/// <param name="Frame">The frame.</param>
/// <param name="Epoch">The epoch.</param>
/// <param name="Keys">The keys.</param>
/// <param name="Values">The watched values by name; null when none are watched.</param>
/// <param name="Text">The text on the screen, if there is any.</param>
/// <param name="Picture">The picture, or null.</param>
/// <param name="NoPicture">Why there is no picture although one was requested.</param>
internal sealed record View(
    long Frame, Epoch Epoch, KeysAnswer Keys, Dictionary<string, JsonNode?>? Values, IReadOnlyList<string>? Text, IndexedPicture? Picture, string? NoPicture);

/// <summary>The results of a batch, one after the other, as replies of their own.</summary>
internal ref struct BatchReplies(Reply batch)
{
    private ItemResults _results = new(batch.Tail);

    /// <summary>The next one.</summary>
    /// <exception cref="ToolException">It was refused.</exception>
    public Reply Next(ToolCall call) =>
        !_results.Read() ? throw NextSteps.Of(new CommandFailure(CommandFailureKind.NotOurs, "The script's answer to a batch lacks a result."), call.Emulator)
        : _results.ToFailure() is { } failure ? throw NextSteps.Of(failure, call.Emulator)
        : _results.ToReply(batch.Frame, batch.Epoch);

    /// <summary>The picture that is next, or why the emulator has none.</summary>
    public IndexedPicture? Picture(ToolCall call, out string? none)
    {
        none = null;
        if (_results.Read() && _results.ToFailure() is { Code: ErrorCode.Unsupported } unsupported)
        {
            none = unsupported.Detail;
            return null;
        }

        return _results.ToFailure() is { } failure ? throw NextSteps.Of(failure, call.Emulator) : IndexedPicture.Of(_results.Bytes.Span);
    }
}
