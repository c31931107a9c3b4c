using System.Buffers;
using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Operations.States;

/// <summary>The save data of the cartridge: what the game itself saves.</summary>
internal static class SaveDataOperations
{
    private static readonly Resource Resource = new("State", SaveDataJson.Default);

    public static HandlerOperation<NoParameters, SaveDataAnswer> Get { get; } = new(Resource, "save.get", HttpMethods.Get, "/v2/save", Access.Read)
    {
        Summary = "The save data of the game",
        Description = "What the game has saved in its cartridge, as in the file `.sav` of mGBA and most emulators; behind it the bytes of the cartridge's clock, where it has one.",
        Request = Parameters.None,
        Run = static async (invocation, _) =>
        {
            var (taken, failure) = await TakenState.TakeAsync(invocation.Emulator, invocation.Options, invocation.Cancelled);
            return failure is not null ? Failure.Of(failure)
                : StateSaveData.Of(taken!.Bytes, taken.Game.Platform) is { } bytes ? new Result<SaveDataAnswer>(new SaveDataAnswer(
                    taken.Frame, taken.Epoch, SaveFile.WithClockOf(bytes, Raw(taken), taken.Game.Platform, invocation.Get<TimeProvider>().GetUtcNow())), null).At(taken.Frame, taken.Epoch)
                : new Failure(FailureKind.NoSuchSave, "This game has no save data: it has not saved yet, or its cartridge has no memory for it.");
        },
        Bytes = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), BytesOf<SaveDataAnswer>.Binary),
        Statuses = [(FailureKind.NoSuchSave, "the game has no save data.")],
    };

    public static HandlerOperation<ReadOnlySequence<byte>, SaveLoadedAnswer> Put { get; } = new(Resource, "save.put", HttpMethods.Put, "/v2/save", Access.Manage)
    {
        Summary = "Give the game other save data, and reset it",
        Description = "The bytes of a file `.sav`, `.srm` or `.sa1`, with or without the bytes of a clock at its end (GBA 16, Game Boy 48 or 44, HuC3 136, TAMA5 40) or 512 bytes in front, or of a `.sps`, `.xps`, `.gsv` or `.dsv`; compressed by gzip or RetroArch, too. The size of the save data has to be that of the present one; where the game has none yet, one of "
            + $"{string.Join(", ", SaveFile.Sizes)}. The state before is kept under the name in `kept`; to undo, `states.get` has its bytes, and `state.load` takes them with the flags 2.",
        Request = Parameters.Of(
            Parameter.Bytes("bytes", "The save data."),
            static Made<ReadOnlySequence<byte>> (bytes) => bytes is { } data
                ? data
                : new WrongParameters("The save data is missing: send it as bytes in base64, or set \"binary\": true and send it as a binary message after the request.")),
        Run = PutAsync,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","length":32768,"kept":"before save 20261125-101530-250"}""",
        Statuses = [(FailureKind.NotASave, "the game has no save data of this size."), (FailureKind.SaveFailed, "the save file cannot be written: the game has the save, and the file gets it when it can be written; or, in a fleet, no state with it is stored yet."), (FailureKind.StoreFailed, "the state before cannot be kept."), (FailureKind.MemoryFull, "there is no room for it.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Put];

    private static async ValueTask<Result<SaveLoadedAnswer>> PutAsync(Invocation invocation, ReadOnlySequence<byte> body)
    {
        var (taken, failure) = await TakenState.TakeAsync(invocation.Emulator, invocation.Options, invocation.Cancelled);
        if (failure is not null)
        {
            return Failure.Of(failure);
        }

        var before = StateSaveData.Of(taken!.Bytes, taken.Game.Platform);
        var (data, problem) = SaveFile.Read(body.ToArray(), before, taken.Game.Platform, Raw(taken));
        if (data is null)
        {
            return NotASave($"These {body.Length} bytes {problem}.");
        }

        string? kept = null;
        if (before is not null)
        {
            kept = NameBeforeSave(invocation.Get<TimeProvider>());
            if (await StoreOperations.KeepAsync(invocation, kept, taken, StateKind.BeforeSave, replace: false) is { Failure: { } notKept })
            {
                return notKept;
            }
        }

        var began = invocation.Get<TimeProvider>().GetTimestamp();
        using var reply = await invocation.Emulator.SendAsync(new PutSave(new ReadOnlySequence<byte>(data)), invocation.Options, invocation.Cancelled);
        invocation.Get<Supervisor>().Find(invocation.Emulator.Id)?.NoteSaves();
        if (reply.Failure is null && invocation.Emulator.UntilStored is { } untilStored && await untilStored(reply.Frame, began, invocation.Cancelled) is { } notStored)
        {
            return Failure.Of(new CommandFailure(CommandFailureKind.SaveFailed, $"The game has the save, but would lose it with its host. {notStored} Read the save again, and send it again if it is not there."));
        }

        return reply.Failure is { Code: ErrorCode.NotAState or ErrorCode.Failed } refused
            ? NotASave(refused.Detail)
            : Result.Of(reply, reply => new SaveLoadedAnswer(reply.Frame, reply.Epoch, data.Length, kept));
    }

    /// <summary>What a state is called that is kept since the game gets other save data.</summary>
    internal static string NameBeforeSave(TimeProvider time) => $"before save {time.GetUtcNow().UtcDateTime.ToString("yyyyMMdd-HHmmss-fff", CultureInfo.InvariantCulture)}";

    private static Failure NotASave(string detail) => new Failure(FailureKind.NotASave, detail);

    private static byte[] Raw(TakenState taken) => PngState.Unpack(new(taken.Bytes)).ToArray();
}
