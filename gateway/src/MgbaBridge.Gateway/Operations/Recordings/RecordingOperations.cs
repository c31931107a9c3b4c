using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Gateway.Operations.Freezes;

namespace MgbaBridge.Gateway.Operations.Recordings;

/// <summary>Recordings of keys, and their replay.</summary>
internal static class RecordingOperations
{
    /// <summary>What the operations on recordings have in common.</summary>
    internal static Resource Resource { get; } = new("Recording", RecordingApiJson.Default);

    /// <summary>The path of a recording.</summary>
    internal const string One = "/v2/recordings/{recording}";

    private const string Example = """{"id":"4b1d90aa","frame":4711,"epoch":"9f3a01c2","last":4831,"inputs":2,"hashes":2}""";

    /// <summary>What 404 means.</summary>
    internal const string Gone = "there is no such recording.";

    /// <summary>The id of a recording.</summary>
    internal static Parameter<string> Id { get; } = Parameter.Text("recording", "The id of a recording.") with { Example = "4b1d90aa" };

    /// <summary>About every how many frames memory is hashed, unless a request says otherwise.</summary>
    internal const long DefaultInterval = 60;

    public static HandlerOperation<(long HashEvery, IReadOnlyList<string>? Ranges), RecordingAnswer> Start { get; } = new(Resource, "recordings.start", HttpMethods.Post, "/v2/recordings", Access.Play)
    {
        Summary = "Record key presses",
        Description = "Records the keys of every frame, of all holders and of the player, and a hash of memory at a fixed interval of frames. Only keys are recorded: what else changes the game "
            + $"(writes, states) makes a replay differ. It ends when the game is reset, changed or lost, or a value is frozen. The gateway keeps {RecordingStore.MaxRecordings} recordings in memory, each with at most {RecordingLog.MaxLines} lines.",
        Request = Parameters.Of(
            Parameter.Integer("hashEvery", 1, (long)Limits.Frames, "About every how many frames memory is hashed.").Or(DefaultInterval),
            Parameter.Texts("ranges", $"What is hashed: texts such as `wram:0x0/262144`, together at most {HashedRanges.MaxBytes >> 20} MiB; all working memory unless given.", 1, HashedRanges.MaxRanges).Optional(),
            static (hashEvery, ranges) => (hashEvery, ranges)),
        RequestExample = """{"hashEvery":60}""",
        Run = StartAsync,
        ResponseExample = Example,
        Statuses = [(FailureKind.ValuesFrozen, "values are frozen."), (FailureKind.MemoryFull, "the limit of recordings is reached; delete some.")],
    };

    public static HandlerOperation<NoParameters, RecordingsAnswer> List { get; } = new(Resource, "recordings.list", HttpMethods.Get, "/v2/recordings", Access.Read)
    {
        Summary = "The recordings of this emulator",
        UsesEmulator = false,
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<RecordingsAnswer>>(
            new RecordingsAnswer([.. invocation.Get<RecordingStore>().Of(invocation.Emulator).Select(RecordingAnswer.Of)])),
        ResponseExample = $$"""{"recordings":[{{Example}}]}""",
    };

    public static HandlerOperation<string, FileAnswer> Download { get; } = new(Resource, "recordings.download", HttpMethods.Get, One, Access.Read)
    {
        Summary = "The lines of a recording",
        Description = "JSON Lines: first the game and its state, then keys, hashes and the end, each with its frame. A running recording is returned up to the current frame.",
        UsesEmulator = false,
        Request = Parameters.Of(Id),
        Run = static (invocation, id) => ValueTask.FromResult<Result<FileAnswer>>(
            invocation.Get<RecordingStore>().Find(invocation.Emulator, id) is { } recorder ? RecordingFile.Of(recorder) : NotFound(id)),
        Bytes = FileAnswer.AsBytes(RecordingFile.MediaType),
        Statuses = [(FailureKind.NoSuchRecording, Gone)],
    };

    public static HandlerOperation<string, RecordingAnswer> Stop { get; } = new(Resource, "recordings.stop", HttpMethods.Post, One + "/stop", Access.Play)
    {
        Summary = "End a recording with a last hash",
        UsesEmulator = false,
        Request = Parameters.Of(Id),
        Run = static (invocation, name) => WithRecorderAsync(invocation, name, static (recorder, _) => recorder.StopAsync()),
        ResponseExample = Example,
        Statuses = [(FailureKind.NoSuchRecording, Gone)],
    };

    public static HandlerOperation<string, RecordingAnswer> Delete { get; } = new(Resource, "recordings.delete", HttpMethods.Delete, One, Access.Play)
    {
        Summary = "Delete a recording",
        UsesEmulator = false,
        Request = Parameters.Of(Id),
        Run = static (invocation, name) => WithRecorderAsync(invocation, name, static (recorder, store) => store.ForgetAsync(recorder)),
        ResponseExample = Example,
        Statuses = [(FailureKind.NoSuchRecording, Gone)],
    };

    public static HandlerOperation<ReadOnlySequence<byte>, ReplayAnswer> Replay { get; } = new(Resource, "recordings.replay", HttpMethods.Post, "/v2/replay", Access.Write)
    {
        Summary = "Replay a recording",
        Description = "Loads its state, takes the lockstep lease and runs its frames with its keys. Stops at the first hash that differs, and reports its frame. It takes as long as "
            + "the emulator needs for the frames; disconnecting ends it. Keys of other holders stay down: release them first.",
        Request = Parameters.Of(Parameter.Bytes("recording", "The lines of a recording."), static bytes => bytes ?? default),
        Body = Content.Bytes(RecordingFile.MediaType),
        Run = ReplayRun.RunAsync,
        TakesFrames = true,
        ResponseExample = """{"frame":5031,"epoch":"9f3a01c2","same":true,"frames":120,"inputs":2,"hashes":2}""",
        Statuses = [(FailureKind.OtherGame, "it is a recording of another game."), (FailureKind.KeysHeld, "others hold keys."), (FailureKind.ValuesFrozen, "values are frozen.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Start, List, Download, Stop, Delete, Replay];

    /// <summary>Frozen values would be in a recording or its replay.</summary>
    internal static Failure FrozenFailure(string detail) => new Failure(FailureKind.ValuesFrozen, detail, new NextStep(FreezeOperations.List, "lists them"));

    /// <summary>There is no such recording.</summary>
    internal static Failure NotFound(string? id) => new Failure(FailureKind.NoSuchRecording, $"There is no recording {id}.", new NextStep(List, "lists them"));

    private static async ValueTask<Result<RecordingAnswer>> StartAsync(Invocation invocation, (long HashEvery, IReadOnlyList<string>? Ranges) request)
    {
        var ranges = request.Ranges is null ? null : HashedRanges.Parse(request.Ranges);
        if (request.Ranges is not null && ranges is null)
        {
            return Failure.BadRequest(HashedRanges.ExpectedFormat);
        }

        var store = invocation.Get<RecordingStore>();
        var (recorder, failure) = await store.StartAsync(invocation.Emulator, ranges, request.HashEvery, invocation.Cancelled);
        if (recorder is null && failure is null)
        {
            return new Failure(FailureKind.MemoryFull, $"There are {RecordingStore.MaxRecordings} recordings, which is the limit.", new NextStep(Delete, "deletes one"));
        }

        // A freeze that is set from now on ends the recording. One that was set during the start may have ended it already: the answer names it.
        using var freezes = await invocation.Emulator.SendAsync(new ListFreezes(), default, CancellationToken.None);
        var (frozen, unknown) = ListFreezes.Obstacle(freezes);
        if (recorder is null)
        {
            return frozen is null ? Failure.Of(failure!) : FrozenFailure(frozen);
        }

        if (frozen is null && unknown is null)
        {
            return RecordingAnswer.Of(recorder);
        }

        await store.ForgetAsync(recorder);
        return unknown is not null ? Failure.Of(unknown) : FrozenFailure(frozen!);
    }

    private static async ValueTask<Result<RecordingAnswer>> WithRecorderAsync(Invocation invocation, string name, Func<Recorder, RecordingStore, Task> change)
    {
        var store = invocation.Get<RecordingStore>();
        if (store.Find(invocation.Emulator, name) is not { } recorder)
        {
            return NotFound(name);
        }

        await change(recorder, store);
        return RecordingAnswer.Of(recorder);
    }
}

/// <summary>The JSON of recordings and of the rewind ring.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(RecordingAnswer))]
[JsonSerializable(typeof(RecordingsAnswer))]
[JsonSerializable(typeof(ReplayAnswer))]
[JsonSerializable(typeof(RewindAnswer))]
[JsonSerializable(typeof(RewoundAnswer))]
[JsonSerializable(typeof(PictureAnswer))]
[JsonSerializable(typeof(DoneAnswer))]
internal sealed partial class RecordingApiJson : JsonSerializerContext;
