using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.States;

/// <summary>States of the whole machine: as bytes, in slots, in files.</summary>
internal static class StateOperations
{
    private const string Tag = "State";
    private const string FlagsHint = "flags is a sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata: 0 to 31.";
    private const string KeptFormatHint = "Write either {\"slot\": 1} or {\"file\": \"before-the-boss.ss\"}.";
    private const string BytesHint = "The state is missing: send it as bytes in base64, or set \"binary\": true and send it as a binary message after the request.";
    private const string OutsideFolders = "The file is outside the folders that the script allows.";

    private static readonly Input Flags = new(
        "flags", "What goes in or is taken: " + FlagsHint + " Usually all but the screenshot (down) or the save data and cheats (up).", "30")
    { IsInteger = true };

    public static CommandOperation<StateRequest, SaveState, StateAnswer> Get { get; } = new("state.get", HttpMethods.Get, "/v2/state", Access.Read)
    {
        Tag = Tag,
        Summary = "Save a state and return its bytes",
        Description = "PUT them to continue from this state. About 400 KB on a GBA. The `ETag` is a hash of the bytes: equal states have equal tags unless they include metadata (16), which contains the time.",
        Aliases = ["state"],
        ServesHead = true,
        Inputs = [Flags, new Input("If-None-Match", "The `ETag` of a state that the caller has.", "\"9f3a01c2\"") { IsHeader = true }],
        Request = Request.Route(StateJson.Default, static (HttpContext http, out StateRequest request) =>
        {
            var isValid = TryFlags(http, out var flags);
            request = new StateRequest { Flags = flags };
            return isValid ? null : FlagsHint;
        }),
        Command = static (StateRequest request, out SaveState command) =>
        {
            command = new SaveState((StateFlags?)request.Flags);
            return AreFlags(request.Flags) ? null : FlagsHint;
        },
        Read = StateAnswer.Of,
        Response = StateJson.Default,
        Contents = [Content.Bytes()],
        Respond = static (http, _, reply) => WriteAsync(http, reply),
        TailIsBytes = true,
        OtherResponses = [(StatusCodes.Status304NotModified, "The caller has these very bytes.")],
        Batch = BatchEntry.Of("state", "`true`: take the state of the whole machine.", new SaveState(null), ItemResultKind.Bytes),
    };

    public static CommandOperation<LoadStateRequest, LoadState, DoneAnswer> Load { get; } = new("state.load", HttpMethods.Put, "/v2/state", Access.Write)
    {
        Tag = Tag,
        Summary = "Load a state",
        Inputs = [Flags, Input.Holder],
        Request = Request.Bytes(
            StateJson.Default,
            static (request, bytes) => request with { Bytes = bytes },
            static (HttpContext http, ReadOnlySequence<byte> body, out LoadStateRequest request) =>
            {
                var isValid = TryFlags(http, out var flags);
                request = new LoadStateRequest { Body = body, Flags = flags };
                return isValid ? null : FlagsHint;
            }),
        Command = static (LoadStateRequest request, out LoadState command) =>
        {
            command = default;
            if (!AreFlags(request.Flags))
            {
                return FlagsHint;
            }

            if ((request.Body ?? (request.Bytes is { } bytes ? new ReadOnlySequence<byte>(bytes) : null)) is not { } state)
            {
                return BytesHint;
            }

            command = new LoadState(state, (StateFlags?)request.Flags);
            return null;
        },
        Read = DoneAnswer.Of,
        Response = BridgeJson.Default,
        ResponseExample = DoneAnswer.Example,
        OtherResponses = [(StatusCodes.Status422UnprocessableEntity, "mGBA refuses these bytes as a state of this game.")],
        Batch = BatchEntry.Of<ReadOnlyMemory<byte>, LoadState>("loadState", "Load this state, in base64.", StateJson.Default, static (ReadOnlyMemory<byte> bytes, out LoadState command) =>
        {
            command = new LoadState(new ReadOnlySequence<byte>(bytes), null);
            return null;
        }, ItemResultKind.Done),
    };

    public static HandlerOperation<KeptStateBody, DoneAnswer> Store { get; } = Kept(
        "state.store", "/v2/state/save", Access.Manage, StateMove.Save, "Save a state in a slot or a file", [(StatusCodes.Status403Forbidden, OutsideFolders)]);

    public static HandlerOperation<KeptStateBody, DoneAnswer> Restore { get; } = Kept(
        "state.restore", "/v2/state/load", Access.Write, StateMove.Load, "Load a state from a slot or a file",
        [(StatusCodes.Status404NotFound, "There is no state of this game."), (StatusCodes.Status403Forbidden, OutsideFolders)]);

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Load, Store, Restore];

    private static HandlerOperation<KeptStateBody, DoneAnswer> Kept(
        string name, string path, Access access, StateMove move, string summary, (int Status, string When)[] others) => new(name, HttpMethods.Post, path, access)
        {
            Tag = Tag,
            Summary = summary,
            Description = "The file is on the machine that runs mGBA. A slot is a file beside the game (or in mGBA's folder for states). Slots cannot be listed: "
                + "mGBA gives scripts no information about a slot except by loading it. To keep states with pictures, store GET /v2/state with `flags=31`, and GET /v2/screen.",
            Inputs = [Input.Holder],
            Request = Request.Body<KeptStateBody>(StateJson.Default, """{"slot":1}"""),
            Run = (context, body) => (body, (StateFlags?)body.Flags) switch
            {
                ({ IsValid: false }, _) => ValueTask.FromResult<OperationResult<DoneAnswer>>(Refusal.BadRequest(KeptFormatHint)),
                ({ Slot: { } slot }, var flags) => context.SendAsync(new StateSlot(move, slot, flags), Done),
                (_, var flags) => context.SendAsync(new StateFile(move, body.File!, flags), Done),
            },
            Response = BridgeJson.Default,
            ResponseExample = DoneAnswer.Example,
            OtherResponses = others,
        };

    private static DoneAnswer Done(Reply reply) => new(reply.Frame, reply.Epoch);

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

    private static bool AreFlags(int? flags) => flags is null or (>= 0 and <= (int)StateFlags.All);

    private static bool TryFlags(HttpContext http, out int? flags)
    {
        flags = null;
        if (!http.Request.Query.TryGetValue("flags", out var text))
        {
            return true;
        }

        var isNumber = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number);
        flags = number;
        return isNumber && AreFlags(number);
    }
}

/// <summary>The JSON of states.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(ReadOnlyMemory<byte>))]
[JsonSerializable(typeof(StateRequest))]
[JsonSerializable(typeof(LoadStateRequest))]
[JsonSerializable(typeof(StateAnswer))]
[JsonSerializable(typeof(KeptStateBody))]
internal sealed partial class StateJson : JsonSerializerContext;
