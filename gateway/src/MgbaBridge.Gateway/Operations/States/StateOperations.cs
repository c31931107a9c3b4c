using System.Buffers;
using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.States;

/// <summary>States of the whole machine: as bytes, in slots, in files.</summary>
internal static class StateOperations
{
    private const string OutsideFolders = "The file is outside the folders that the script allows.";

    /// <summary>A slot.</summary>
    public static readonly Parameter<long?> Slot = Parameter.Integer("slot", 0, (long)Limits.Slot, "A slot beside the game.").Optional();

    /// <summary>A file beside mGBA.</summary>
    public static readonly Parameter<string?> KeptFile = Parameter.Text("file", "A file below a folder that the script allows (MGBA_BRIDGE_FOLDERS), instead of a slot.").Optional();

    /// <summary>What a state has in it.</summary>
    public static readonly Parameter<int?> Flags = Parameter.Integer("flags", 0, Limits.Flags, "A sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata.").Optional() with { Example = "30" };

    private static readonly Resource Resource = new("State", StateJson.Default);

    private static readonly Parameters<KeptState> Where = Parameters.Of(
        Slot,
        KeptFile,
        Flags with { Sentence = $"{Flags.Sentence} Unless given, all; loading leaves out save data." },
        static Made<KeptState> (slot, file, flags) => slot is null != file is null
            ? new KeptState(slot, file, (StateFlags?)flags)
            : new WrongParameters("Write either {\"slot\": 1} or {\"file\": \"before-the-boss.ss\"}."));

    public static CommandOperation<SaveState, StateAnswer> Get { get; } = new(Resource, "state.get", HttpMethods.Get, "/v2/state", Access.Read)
    {
        Summary = "Save a state and return its bytes",
        Description = "`state.load` continues from this state. About 400 KB on a GBA. The `ETag` is a hash of the bytes: equal states have equal tags unless they include metadata (16), which contains the time.",
        ServesHead = true,
        Request = Parameters.Of(Flags with { Sentence = $"What goes in: {Flags.Sentence} All but the screenshot unless given." }, static flags => new SaveState((StateFlags?)flags)),
        Read = StateAnswer.Of,
        Bytes = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), BytesOf<StateAnswer>.Binary)
        {
            EntityTag = static answer => $"\"{Convert.ToHexStringLower(SHA256.HashData(answer.Bytes.Span).AsSpan(0, 16))}\"",
        },
        Statuses = [(StatusCodes.Status304NotModified, "The caller has these very bytes.")],
        Batch = BatchEntry.Of("state", "take the state of the whole machine.", new SaveState(null), ItemResultKind.Bytes),
    };

    public static CommandOperation<LoadState, DoneAnswer> Load { get; } = new(Resource, "state.load", HttpMethods.Put, "/v2/state", Access.Write)
    {
        Summary = "Load a state",
        Request = Parameters.Of(
            Parameter.Bytes("bytes", "The bytes of a state."),
            Flags with { Sentence = $"What is taken: {Flags.Sentence} All but save data and cheats unless given." },
            static Made<LoadState> (bytes, flags) => bytes is { } state
                ? new LoadState(state, (StateFlags?)flags)
                : new WrongParameters("The state is missing: send it as bytes in base64, or set \"binary\": true and send it as a binary message after the request.")),
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        Statuses = [(StatusCodes.Status422UnprocessableEntity, "mGBA refuses these bytes as a state of this game.")],
        Batch = BatchEntry.Of(Parameter.Bytes("loadState", "Load this state, in base64."), static (bytes, items) =>
        {
            items.Add(new LoadState(bytes ?? default, null), ItemResultKind.Done);
            return null;
        }),
    };

    public static HandlerOperation<KeptState, DoneAnswer> Store { get; } = Kept(
        "state.store", "/v2/state/save", Access.Manage, StateMove.Save, "Save a state in a slot or a file", [(StatusCodes.Status403Forbidden, OutsideFolders)]);

    public static HandlerOperation<KeptState, DoneAnswer> Restore { get; } = Kept(
        "state.restore", "/v2/state/load", Access.Write, StateMove.Load, "Load a state from a slot or a file",
        [(StatusCodes.Status404NotFound, "There is no state of this game."), (StatusCodes.Status403Forbidden, OutsideFolders)]);

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Load, Store, Restore];

    private static HandlerOperation<KeptState, DoneAnswer> Kept(
        string name, string path, Access access, StateMove move, string summary, (int Status, string When)[] others) => new(Resource, name, HttpMethods.Post, path, access)
        {
            Summary = summary,
            Description = "The file is on the machine that runs mGBA. A slot is a file beside the game (or in mGBA's folder for states). Slots cannot be listed: "
                + "mGBA gives scripts no information about a slot except by loading it. To keep states with pictures, use `states.save`.",
            Request = Where,
            RequestExample = """{"slot":1}""",
            Run = (context, kept) => kept.Slot is { } slot
                ? context.SendAsync(new StateSlot(move, slot, kept.Flags), Done)
                : context.SendAsync(new StateFile(move, kept.File!, kept.Flags), Done),
            ResponseExample = DoneAnswer.Example,
            Statuses = others,
        };

    private static DoneAnswer Done(Reply reply) => new(reply.Frame, reply.Epoch);
}

/// <summary>The JSON of states.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(StateAnswer))]
internal sealed partial class StateJson : JsonSerializerContext;
