using System.Buffers;
using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.States;

/// <summary>States of the whole machine: as bytes, in slots, in files.</summary>
internal static class StateOperations
{
    private const string OutsideFolders = "the file is outside the folders that the script allows.";

    private const string Beside = "A slot is a file beside the game (or in mGBA's folder for states) on the machine that runs mGBA. Slots cannot be listed: "
        + "mGBA gives scripts no information about a slot except by loading it.";

    /// <summary>A slot.</summary>
    private static readonly Parameter<long?> Slot = Parameter.Integer("slot", 0, (long)Limits.Slot, "A slot beside the game.").Optional();

    /// <summary>A file beside mGBA.</summary>
    private static readonly Parameter<string?> KeptFile = Parameter.Text("file", "A file below a folder that the script allows (MGBA_BRIDGE_FOLDERS), instead of a slot.").Optional();

    /// <summary>What a state has in it.</summary>
    private static readonly Parameter<int?> Flags = Parameter.Integer("flags", 0, Limits.Flags, "A sum of 1 screenshot, 2 save data, 4 cheats, 8 clock and 16 metadata.").Optional() with { Example = "30" };

    private static readonly Resource Resource = new("State", StateJson.Default);

    public static CommandOperation<SaveState, StateAnswer> Get { get; } = new(Resource, "state.get", HttpMethods.Get, "/v2/state", Access.Read)
    {
        Summary = "Save a state and return its bytes",
        Description = "`state.load` continues from this state. About 400 KB on a GBA. The `ETag` is a hash of the bytes: equal states have equal tags unless they include metadata (16), which contains the time.",
        Request = Parameters.Of(Flags with { Sentence = $"What goes in: {Flags.Sentence} All but the screenshot unless given." }, static flags => new SaveState((StateFlags?)flags)),
        Read = StateAnswer.Of,
        Bytes = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), BytesOf<StateAnswer>.Binary)
        {
            EntityTag = static answer => $"\"{Convert.ToHexStringLower(SHA256.HashData(answer.Bytes.Span).AsSpan(0, 16))}\"",
        },
        Batch = BatchEntry.Of("state", "take the state of the whole machine.", new SaveState(null), ItemResultKind.Bytes),
    };

    public static HandlerOperation<LoadStateRequest, DoneAnswer> Load { get; } = new(Resource, "state.load", HttpMethods.Put, "/v2/state", Access.Write)
    {
        Summary = "Load a state",
        Description = $"From bytes, or from a slot or a file beside mGBA. Bytes of another ROM, such as an earlier build, are refused unless `anyRom` is set; slots and files, as in mGBA, only when the title differs. {Beside}",
        Request = Parameters.Of(
            Parameter.Bytes("bytes", "The bytes of a state, unless it is in a slot or a file."),
            Slot,
            KeptFile,
            Flags with { Sentence = $"What is taken: {Flags.Sentence} All but save data and cheats unless given." },
            Parameter.Flag("anyRom", "Whether the bytes may be of another ROM of this console, such as an earlier build of it: code or data that is elsewhere now makes the game crash.").InQuery(),
            LoadOf),
        Run = static (invocation, request) => request.Kept is { } kept ? MoveAsync(invocation, StateMove.Load, kept) : LoadAsync(invocation, request),
        AccessOf = static request => request.Kept is null ? Access.Write : Access.Manage, // files are shared by all games of a ROM
        BodyIsOptional = true,
        ResponseExample = DoneAnswer.Example,
        Statuses = [(ErrorCode.NotAState, "mGBA refuses these bytes as a state of this game."), (ErrorCode.NotFound, "there is no state of this game."), (ErrorCode.Forbidden, OutsideFolders), (FailureKind.OtherGame, "the bytes are of another ROM.")],
        Batch = BatchEntry.Of(Parameter.Bytes("loadState", "Load this state, in base64."), static (bytes, items) =>
        {
            var load = new LoadState(bytes ?? default, null);
            items.Add(load, ItemResultKind.Done);
            return load.Problem;
        }),
    };

    public static HandlerOperation<KeptState, DoneAnswer> Save { get; } = new(Resource, "state.save", HttpMethods.Post, "/v2/state/save", Access.Manage)
    {
        Summary = "Save a state in a slot or a file",
        Description = $"{Beside} To keep states with pictures, use `states.save`.",
        Request = Parameters.Of(
            Slot,
            KeptFile,
            Flags with { Sentence = $"What goes in: {Flags.Sentence} All unless given." },
            static Made<KeptState> (slot, file, flags) => slot is null != file is null ? new KeptState(slot, file, (StateFlags?)flags) : new WrongParameters("Name either a slot or a file.")),
        RequestExample = """{"slot":1}""",
        Run = static (invocation, kept) => MoveAsync(invocation, StateMove.Save, kept),
        ResponseExample = DoneAnswer.Example,
        Statuses = [(ErrorCode.Forbidden, OutsideFolders)],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Load, Save];

    private static Made<LoadStateRequest> LoadOf(ReadOnlySequence<byte>? bytes, long? slot, string? file, int? flags, bool anyRom) => (bytes, slot, file) switch
    {
        ({ Length: > 0 } state, null, null) => new LoadStateRequest(new LoadState(state, (StateFlags?)flags), null, anyRom),
        (null or { Length: 0 }, { }, null) or (null or { Length: 0 }, null, { }) => new LoadStateRequest(new LoadState(default, null), new KeptState(slot, file, (StateFlags?)flags), anyRom),
        (null or { Length: 0 }, null, null) => new WrongParameters("The state is missing: send its bytes, or name a slot or a file."),
        _ => new WrongParameters("Load either bytes, or a slot, or a file."),
    };

    private static async ValueTask<Result<DoneAnswer>> LoadAsync(Invocation invocation, LoadStateRequest request)
    {
        if (!request.AnyRom && request.Load.Rom is { } rom)
        {
            using var game = await invocation.Emulator.SendAsync(new ReadGame(), invocation.Options with { Holder = null }, invocation.Cancelled);
            if (game.Failure is { } failure)
            {
                return Failure.Of(failure);
            }

            var running = ReadGame.Parse(game);
            if (running.Platform == rom.Platform && running.Crc32 != rom.Crc32) // the script says what a state of another console is
            {
                return new Failure(
                    FailureKind.OtherGame,
                    $"The state is of a ROM with the CRC32 {Hex.Of(rom.Crc32)}; emulator {invocation.Emulator.Id} runs {running.Title} ({Hex.Of(running.Crc32)}). Load it where its ROM runs, or set anyRom if this ROM is a build of the same game.");
            }
        }

        return await invocation.SendAsync(request.Load, DoneAnswer.Of);
    }

    private static ValueTask<Result<DoneAnswer>> MoveAsync(Invocation invocation, StateMove move, KeptState kept) => kept.Slot is { } slot
        ? invocation.SendAsync(new StateSlot(move, slot, kept.Flags), Done)
        : invocation.SendAsync(new StateFile(move, kept.File!, kept.Flags), Done);

    private static DoneAnswer Done(Reply reply) => new(reply.Frame, reply.Epoch);
}

/// <summary>The JSON of states.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(StateAnswer))]
internal sealed partial class StateJson : JsonSerializerContext;
