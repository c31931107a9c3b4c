using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Operations.States;

/// <summary>States that the gateway keeps: named ones, and the automatic ones of owned emulators.</summary>
internal static class StoreOperations
{
    private static readonly Resource Resource = new("State", StoreJson.Default);
    private const string StateExample = """{"name":"before-the-boss","kind":"named","emulator":"1","title":"MGBABRIDGE","code":"AGB-BBTE","platform":"gba","crc32":"0x52258CD4","frame":4711,"savedAt":"2026-11-22T05:55:15Z","bytes":18542,"sha256":"3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855d","picture":true,"temporary":false}""";

    /// <summary>The name of a state.</summary>
    internal static Parameter<string> Name { get; } = Parameter.Text("name", "The name of a kept state.") with { PathName = "state", Example = "before-the-boss" };

    /// <summary>Whether a state of another ROM is meant as well.</summary>
    internal static Parameter<bool> AnyRom { get; } = Parameter.Flag(
        "anyRom", "Whether the state may be of another ROM of this console, such as an earlier build of it. The response then has a warning: code or data that is elsewhere now makes the game crash.");

    private static readonly StatusNote Missing = FailureKind.NoSuchState;
    private static readonly StatusNote OtherGame = (FailureKind.OtherGame, "the state belongs to another game.");
    private static readonly StatusNote[] Full = [(FailureKind.MemoryFull, "the named states have as many files or bytes as `Bridge:Owned:MaxStates` and `MaxStateBytes` allow."), (FailureKind.StoreFailed, "the folder cannot be written.")];

    public static HandlerOperation<NoParameters, StoredStatesAnswer> List { get; } = new(Resource, "states.list", HttpMethods.Get, "/v2/states", Access.Read)
    {
        Summary = "All states that the gateway keeps",
        Description = "Of all emulators, newest first: those that callers named, those from before a game got other save data, and the automatic ones of emulators that the gateway started. They survive a restart of the gateway.",
        UsesEmulator = false,
        WorksWithoutEmulator = true,
        Request = Parameters.None,
        Run = static (invocation, _) =>
        {
            var options = invocation.Get<OwnedEmulatorOptions>();
            return Stored<StoredStatesAnswer>(() =>
            {
                var all = invocation.Get<StateStore>().All.Where(state => invocation.Caller.Shown(state.Name) is not null).ToArray();
                return new StoredStatesAnswer([.. all.Select(state => Answer(invocation, state))], all.Sum(state => state.Bytes), options.MaxStates, options.MaxStateBytes);
            });
        },
        ResponseExample = $$"""{"states":[{{StateExample}}],"bytes":18542,"maxStates":1000,"maxBytes":1073741824}""",
    };

    public static HandlerOperation<StoreStateRequest, StoredStateAnswer> Save { get; } = new(Resource, "states.save", HttpMethods.Post, "/v2/states", Access.Write)
    {
        Summary = "Keep the state of the emulator under a name",
        Description = "With the picture of its frame, where the emulator has one.",
        Request = Parameters.Of(
            Parameter.Text("name", $"Its name: {StoredState.ExpectedFormat}.", minLength: 0),
            Parameter.Flag("replace", "Whether it takes the place of a state of this name; without it such a request is refused."),
            Parameter.Flag("temporary", "Whether it is deleted when the stream of the caller's holder ends (`holder.stream`), which has to be open."),
            static (name, replace, temporary) => new StoreStateRequest(name, replace, temporary)),
        RequestExample = """{"name":"before-the-boss"}""",
        Run = SaveAsync,
        ResponseExample = StateExample,
        Statuses = [(FailureKind.StateExists, "send `replace` to replace it."), .. Full],
    };

    public static HandlerOperation<LoadStoredRequest, StoredLoadedAnswer> Load { get; } = new(Resource, "states.load", HttpMethods.Post, "/v2/states/{state}/load", Access.Write)
    {
        Summary = "Continue from a state that the gateway keeps",
        Description = "It may have been taken of another emulator with the same ROM. The save file stays as it is until the game saves, which replaces it by what this state had: where that differs, the state before is kept under the name in `kept`, unless one with its save data is.",
        Request = Parameters.Of(
            Name,
            AnyRom,
            static (name, anyRom) => new LoadStoredRequest(name, anyRom)),
        BodyIsOptional = true,
        Run = static (invocation, request) => LoadAsync(invocation.Emulator, invocation.Get<StateStore>(), invocation.Caller.Kept(request.Name), null, request.AnyRom, invocation.Options, invocation.Cancelled, (state, bytes) => KeepSaveAsync(invocation, state, bytes)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2"}""",
        Statuses = [Missing, OtherGame],
    };

    public static HandlerOperation<StatePair, ComparisonAnswer> Compare { get; } = new(Resource, "states.compare", HttpMethods.Get, "/v2/states/{state}/compare", Access.Read)
    {
        Summary = "Where two states differ",
        Description = "By region, as offsets of bytes. Extra data (save data, clock) is not compared.",
        UsesEmulator = false,
        WorksWithoutEmulator = true,
        Request = Parameters.Of(
            Name, Parameter.Text("with", "The name of the other state.") with { Example = "after-the-boss" }, static (name, with) => new StatePair(name, with)),
        Run = static (invocation, pair) => Stored(() => Differences(invocation.Get<StateStore>(), new StatePair(invocation.Caller.Kept(pair.Name), invocation.Caller.Kept(pair.With)))),
        ResponseExample = """{"bytes":3,"regions":[{"name":"wram","length":262144,"address":"0x02000000","bytes":3,"runs":[{"offset":16,"length":3}],"moreRuns":0}]}""",
        Statuses = [Missing, OtherGame],
    };

    public static HandlerOperation<string, StoredStateAnswer> Delete { get; } = new(Resource, "states.delete", HttpMethods.Delete, "/v2/states/{state}", Access.Write)
    {
        Summary = "Delete a state that the gateway keeps",
        UsesEmulator = false,
        WorksWithoutEmulator = true,
        Request = Parameters.Of(Name),
        Run = static (invocation, request) => Stored<StoredStateAnswer>(() =>
        {
            var store = invocation.Get<StateStore>();
            return store.Find(invocation.Caller.Kept(request)) is { } state && store.Delete(state) ? Answer(invocation, state) : NotFound(request);
        }),
        ResponseExample = StateExample,
        Statuses = [Missing],
    };

    public static HandlerOperation<string, StoredBytesAnswer> Download { get; } = new(Resource, "states.get", HttpMethods.Get, "/v2/states/{state}", Access.Read)
    {
        Summary = "The bytes of a state that the gateway keeps",
        Description = "A PNG that shows the state, where the emulator had a picture; mGBA and `state.load` take both forms.",
        UsesEmulator = false,
        WorksWithoutEmulator = true,
        Request = Parameters.Of(Name),
        Run = static async (invocation, name) =>
        {
            var found = await ReadAsync(invocation.Get<StateStore>(), invocation.Caller.Kept(name));
            return found.Failure is { } failure ? failure : new StoredBytesAnswer(name, found.Value.State.Sha256, found.Value.Bytes);
        },
        Bytes = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), BytesOf<StoredBytesAnswer>.Binary) { EntityTag = static answer => $"\"{answer.Sha256}\"" },
        Statuses = [Missing],
    };

    public static HandlerOperation<string, StoredPictureAnswer> Picture { get; } = new(Resource, "states.picture", HttpMethods.Get, "/v2/states/{state}/picture", Access.Read)
    {
        Summary = "The picture of a state that the gateway keeps",
        UsesEmulator = false,
        WorksWithoutEmulator = true,
        Request = Parameters.Of(Name),
        Run = PictureAsync,
        Bytes = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), "image/png"),
        Statuses = [FailureKind.NoSuchState, (FailureKind.NoSuchPicture, "its emulator draws none.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Save, Download, Picture, Load, Compare, Delete];

    /// <summary>There is no state of this name.</summary>
    internal static Failure NotFound(string name) => new Failure(FailureKind.NoSuchState, $"There is no state {name}.", new NextStep(List, "lists them"));

    private static Failure IsOtherGame(string detail) => new Failure(FailureKind.OtherGame, detail, new NextStep(List, "lists the states of each game"));

    /// <summary>The folder of the states cannot be used.</summary>
    internal static Failure StoreFailed(Exception exception) =>
        new Failure(FailureKind.StoreFailed, $"{exception.Message} Set Bridge:Owned:DataFolder to a folder with room that can be written.");

    private static StoredStateAnswer Answer(Invocation invocation, StoredState state) => StoredStateAnswer.Of(state) with { Name = invocation.Caller.Shown(state.Name) ?? state.Name };

    private static async ValueTask<Result<T>> Stored<T>(Func<Result<T>> work)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // disks are slow, see SocketThreads
        try
        {
            return work();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return StoreFailed(exception);
        }
    }

    private static ValueTask<Result<(StoredState State, byte[] Bytes)>> ReadAsync(StateStore store, string name) =>
        Stored<(StoredState State, byte[] Bytes)>(() => store.Find(name) is { } state && store.Read(state) is { } bytes ? (state, bytes) : NotFound(name));

    private static async ValueTask<Result<StoredStateAnswer>> SaveAsync(Invocation invocation, StoreStateRequest body)
    {
        if (!StoredState.IsValidName(body.Name) || !StoredState.IsValidName(invocation.Caller.Kept(body.Name)))
        {
            return Failure.BadRequest($"name has {StoredState.ExpectedFormat}{(invocation.Caller.Owner is null ? "" : $", and is kept behind {invocation.Caller.Prefix}")}.");
        }

        var holder = body.Temporary ? HolderStreams.NameOf(invocation.Caller, invocation.Options.Holder) : null;
        if (holder is not null && !invocation.Get<HolderStreams>().IsOpen(holder))
        {
            return HolderStreams.NotOpen(invocation.Options.Holder, "a temporary state");
        }

        var (taken, failure) = await TakenState.TakeAsync(invocation.Emulator, default, invocation.Cancelled);
        if (failure is not null)
        {
            return Failure.Of(failure);
        }

        return await KeepAsync(invocation, body.Name, taken!, StateKind.Named, body.Replace, holder);
    }

    /// <summary>Keeps a state under a name.</summary>
    internal static async ValueTask<Result<StoredStateAnswer>> KeepAsync(Invocation invocation, string name, TakenState taken, StateKind kind, bool replace, string? holder = null)
    {
        var store = invocation.Get<StateStore>();
        var exists = false;
        var saved = await Stored<StoredStateAnswer>(() => (replace ? store.Save(invocation.Caller.Kept(name), invocation.Emulator.Id, taken, kind, holder) : store.Add(invocation.Caller.Kept(name), invocation.Emulator.Id, taken, kind, out exists, holder)) is { } state
            ? Answer(invocation, state)
            : exists ? new Failure(FailureKind.StateExists, $"A state is named {name}.", NextStep.Do("Choose another name, or set replace."))
            : new Failure(FailureKind.MemoryFull, "The states of this kind have as many files or bytes as Bridge:Owned:MaxStates and MaxStateBytes allow. Delete states, or raise the settings.", new NextStep(Delete, "deletes one")));
        return saved.Failure is null ? saved.At(taken.Frame, taken.Epoch) : saved;
    }

    /// <summary>Loads these parts of a state that the gateway keeps, unless the emulator runs another game.</summary>
    internal static async ValueTask<Result<StoredLoadedAnswer>> LoadAsync(
        EmulatorClient emulator, StateStore store, string name, StateFlags? parts, bool anyRom, RequestOptions options, CancellationToken cancelled,
        Func<StoredState, byte[], Task<string?>>? keepSave = null)
    {
        string? warning = null;
        var found = await ReadAsync(store, name);
        if (found.Failure is { } failure)
        {
            return failure;
        }

        var (stored, content) = found.Value;
        using (var game = await emulator.SendAsync(new ReadGame(), options with { Holder = null }, cancelled))
        {
            if (game.Failure is { } unread)
            {
                return Failure.Of(unread);
            }

            var running = ReadGame.Parse(game);
            if (running.Crc32 != stored.Game.Crc32 || running.Platform != stored.Game.Platform)
            {
                var difference = $"{stored.Name} is of {stored.Game.Title} (CRC32 0x{stored.Game.Crc32:X8}); emulator {emulator.Id} runs {running.Title} (0x{running.Crc32:X8}).";
                if (!anyRom || running.Platform != stored.Game.Platform)
                {
                    return IsOtherGame($"{difference} Load it where its ROM runs{(running.Platform == stored.Game.Platform ? ", or set anyRom if this ROM is a build of the same game" : "")}.");
                }

                warning = $"{difference} The game may crash; a reset, or a state of this ROM, repairs that.";
            }
        }

        var kept = keepSave is null ? null : await keepSave(stored, content);
        using var reply = await emulator.SendAsync(new LoadState(new ReadOnlySequence<byte>(content), parts), options, cancelled);
        return reply.Failure is { } why ? Failure.Of(why) : Result.At(new StoredLoadedAnswer(reply.Frame, reply.Epoch, warning, kept), reply.Frame, reply.Epoch);
    }

    /// <summary>Keeps the state of now when its save data differs from that of a state to load, and no state from before has it. Returns its name then.</summary>
    private static async Task<string?> KeepSaveAsync(Invocation invocation, StoredState state, byte[] bytes)
    {
        var store = invocation.Get<StateStore>();
        var (taken, failure) = state.Kind == StateKind.BeforeSave ? (null, null) : await TakenState.TakeAsync(invocation.Emulator, invocation.Options, invocation.Cancelled);
        if (taken is null || failure is not null || StateSaveData.Of(taken.Bytes, taken.Game.Platform) is not { } save
            || StateSaveData.Of(bytes, state.Game.Platform) is not { } other || save.AsSpan().SequenceEqual(other))
        {
            return null;
        }

        var before = store.All.FirstOrDefault(one => one.Kind == StateKind.BeforeSave && one.Game.Crc32 == taken.Game.Crc32);
        if (before is not null && store.Read(before) is { } kept && StateSaveData.Of(kept, before.Game.Platform).AsSpan().SequenceEqual(save))
        {
            return null;
        }

        var name = SaveDataOperations.NameBeforeSave(invocation.Get<TimeProvider>());
        return (await KeepAsync(invocation, name, taken, StateKind.BeforeSave, replace: false)).Failure is null ? name : null;
    }

    private static Result<ComparisonAnswer> Differences(StateStore store, StatePair pair)
    {
        var (first, second) = (store.Find(pair.Name), store.Find(pair.With));
        if (first is null || second is null || store.Read(first) is not { } left || store.Read(second) is not { } right)
        {
            return NotFound(first is null ? pair.Name : pair.With);
        }

        return first.Game.Platform == second.Game.Platform && StateComparison.Compare(left, right, first.Game.Platform) is { } regions
            ? new ComparisonAnswer(regions.Sum(region => region.Bytes), [.. regions.Where(region => region.Bytes > 0).Select(RegionAnswer.Of)])
            : IsOtherGame($"{first.Name} is of {first.Game.Title} ({first.Game.Platform}) and {second.Name} of {second.Game.Title} ({second.Game.Platform}). Compare states of one console.");
    }

    private static async ValueTask<Result<StoredPictureAnswer>> PictureAsync(Invocation invocation, string name)
    {
        var found = await ReadAsync(invocation.Get<StateStore>(), invocation.Caller.Kept(name));
        if (found.Failure is { } failure)
        {
            return failure;
        }

        var (state, content) = found.Value;
        using var picture = StreamPool.Rent("picture of a state");
        return PngFile.TryWriteWithoutState(content, picture)
            ? new StoredPictureAnswer(state.Name, picture.GetReadOnlySequence().ToArray())
            : new Failure(FailureKind.NoSuchPicture, $"{state.Name} has no picture: its emulator draws none.");
    }
}

/// <summary>The JSON of the state store.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(StoredStateAnswer))]
[JsonSerializable(typeof(StoredStatesAnswer))]
[JsonSerializable(typeof(StoredBytesAnswer))]
[JsonSerializable(typeof(StoredPictureAnswer))]
[JsonSerializable(typeof(ComparisonAnswer))]
[JsonSerializable(typeof(StoredLoadedAnswer))]
[JsonSerializable(typeof(LoadStoredRequest))]
internal sealed partial class StoreJson : JsonSerializerContext;
