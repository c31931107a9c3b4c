using System.Globalization;
using System.Security.Cryptography;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.States;

/// <summary>States of the whole machine: as bytes, in slots, in files.</summary>
public static class StateEndpoints
{
    private const string Tag = "State";
    private const string DoneExample = """{"frame":4711,"epoch":"9f3a01c2"}""";
    private const string FlagsForm = "flags is a sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata: 0 to 31.";
    private const string KeptFormatHint = "Write either {\"slot\": 1} or {\"file\": \"before-the-boss.ss\"}.";

    private static readonly Input Flags = new(
        "flags", "What goes in or is taken: " + FlagsForm + " Usually all but the screenshot (down) or the save data and cheats (up).", "30")
    { IsInteger = true };

    /// <summary>Adds <c>/v2/state</c> and what is below it.</summary>
    public static void MapStates(this IEndpointRouteBuilder routes)
    {
        routes.MapMethods("/v2/state", [HttpMethods.Get, HttpMethods.Head], Download).Describe(new OperationDescription(Tag, "The state of the whole machine as bytes")
        {
            Description = "PUT them back to go on from there. About 400 KB on a GBA. The `ETag` is made of the bytes: without metadata (16), in which the time stands, the same state has the same one.",
            Inputs = [Flags, new Input("If-None-Match", "The `ETag` of a state that the caller has.", "\"9f3a01c2\"") { IsHeader = true }],
            Answers = [Content.Bytes()],
            OtherResponses = [(304, "The caller has these very bytes.")],
        });
        routes.MapPut("/v2/state", Upload).Describe(new OperationDescription(Tag, "Go on from a state")
        {
            Inputs = [Flags, Input.Holder],
            Body = Content.Bytes(),
            Answers = [Content.Json<DoneAnswer>(DoneExample)],
            OtherResponses = [(422, "mGBA refuses these bytes as a state of this game.")],
        });
        routes.MapPost("/v2/state/save", http => Keep(http, StateMove.Save)).Describe(Kept("Save a state in a slot or a file"));
        routes.MapPost("/v2/state/load", http => Keep(http, StateMove.Load)).Describe(Kept("Load a state from a slot or a file") with
        {
            OtherResponses = [(404, "There is no state of this game."), (403, "The file is outside the folders that the script allows.")],
        });
    }

    private static OperationDescription Kept(string summary) => new(Tag, summary)
    {
        Description = "On the machine that mGBA runs on. A slot is a file beside the game (or where mGBA keeps states). Which slots are taken, and what they look like, cannot be listed: "
            + "mGBA tells scripts nothing of a slot but by loading it. States with pictures are better kept by the caller: GET /v2/state with `flags=31`, and GET /v2/screen.",
        Inputs = [Input.Holder],
        Body = Content.Json<KeptStateBody>("""{"slot":1}"""),
        Answers = [Content.Json<DoneAnswer>(DoneExample)],
        OtherResponses = [(403, "The file is outside the folders that the script allows.")],
    };

    private static Task Download(HttpContext http) => TryFlags(http, out var flags)
        ? http.SendAsync(new SaveState(flags), static (http, _, reply) => WriteAsync(http, reply))
        : Problems.BadRequestAsync(http, FlagsForm).AsTask();

    private static ValueTask WriteAsync(HttpContext http, Reply reply)
    {
        var tag = $"\"{Convert.ToHexStringLower(SHA256.HashData(reply.Tail.Span).AsSpan(0, 16))}\"";
        http.Response.Headers.ETag = tag;
        http.Response.Headers.CacheControl = "no-cache";
        if (!EntityTags.Has(http, tag))
        {
            return RawAnswer.WriteAsync(http, reply.Tail);
        }

        http.Response.StatusCode = StatusCodes.Status304NotModified;
        return ValueTask.CompletedTask;
    }

    private static async Task Upload(HttpContext http)
    {
        if (!TryFlags(http, out var flags))
        {
            await Problems.BadRequestAsync(http, FlagsForm);
        }
        else if (await RawBody.ReadAsync(http) is { } body)
        {
            await http.SendAsCallerAsync(new LoadState(body, flags), Callers.DoneAsync);
            RawBody.Done(http, body);
        }
    }

    private static async Task Keep(HttpContext http, StateMove move)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.KeptStateBody) is not { } body)
        {
            return;
        }

        var flags = (StateFlags?)body.Flags;
        await (body switch
        {
            { IsValid: false } => Problems.BadRequestAsync(http, KeptFormatHint).AsTask(),
            { Slot: { } slot } => http.SendAsCallerAsync(new StateSlot(move, slot, flags), Callers.DoneAsync),
            _ => http.SendAsCallerAsync(new StateFile(move, body.File!, flags), Callers.DoneAsync),
        });
    }

    private static bool TryFlags(HttpContext http, out StateFlags? flags)
    {
        flags = null;
        if (!http.Request.Query.TryGetValue("flags", out var text))
        {
            return true;
        }

        var valid = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number <= (int)StateFlags.All;
        flags = (StateFlags)number;
        return valid;
    }
}

/// <summary>Where a state is kept on the machine that mGBA runs on: a slot or a file.</summary>
public sealed record KeptStateBody
{
    /// <summary>A slot beside the game, 0 to 9.</summary>
    public long? Slot { get; init; }

    /// <summary>A file below a folder that the script allows (MGBA_BRIDGE_FOLDERS), instead of a slot.</summary>
    public string? File { get; init; }

    /// <summary>What goes in or is taken, added up: 1 screenshot, 2 save data, 4 cheats, 8 clock, 16 metadata. Unless given, all; loading leaves out save data.</summary>
    public int? Flags { get; init; }

    /// <summary>Whether it is one of the two.</summary>
    internal bool IsValid => Slot is null != File is null;
}
