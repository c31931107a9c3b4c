using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations.States;
using MgbaBridge.Gateway.Operations.Status;

namespace MgbaBridge.Gateway.Operations.Emulators;

/// <summary>Emulators that the gateway starts and stops itself.</summary>
internal static class EmulatorOperations
{
    private static readonly Resource Resource = new("Emulators", OwnedJson.Default) { UsesEmulator = false, IsPerEmulator = false };
    private const string Example = """{"id":"2","state":"ready","since":"2026-11-22T05:55:15Z","capabilities":["screen"],"connections":2,"inFlight":0,"waiting":0,"process":{"pid":6465,"rom":"/games/game.gba","window":false,"startedAt":"2026-11-22T05:55:14Z","uptimeSeconds":12.5,"memoryBytes":23068672,"cpuSeconds":0.4,"fps":59.73,"paused":false,"restarts":0,"saves":"/games","log":"/home/me/.local/state/mgba-bridge/1/emulators/2/emulator.log"}}""";

    private static readonly Resource Playing = new("Emulators", OwnedJson.Default) { UsesEmulator = false };

    private static readonly Parameter<string> Id = Parameter.Text("id", "The id of an emulator.") with { Example = "1", IsEmulator = true };

    /// <summary>The ROM of an emulator that is started.</summary>
    internal static Parameter<string> Rom { get; } = Parameter.Text("rom", "The ROM: the name of an uploaded one, or a path below one of `Bridge:Owned:RomFolders`, whole or relative to one of them.");

    private static readonly Parameter<double> Fps = Parameter.Number("fps", 0, EmulatorOptions.MaxFps, "Frames a second; 0 runs as fast as possible.");

    /// <summary>The id that something new gets.</summary>
    internal static Parameter<string?> NewId(string what, string otherwise) =>
        new Parameter<string>("id", $"{what}: {EmulatorId.ExpectedFormat}; {otherwise} unless given.", new NameKind(EmulatorId.ExpectedFormat, EmulatorId.MaxLength, EmulatorId.IsValid)).Optional();

    private static readonly StatusNote SaveNotWritten = (FailureKind.SaveFailed, "the save file cannot be written, and what the game holds would be lost. Nothing was done.");

    private static readonly StatusNote NotOwned = (FailureKind.NotOwned, "the gateway did not start this emulator.");

    public static HandlerOperation<EmulatorRequest, StatusAnswer> Start { get; } = new(Resource, "emulators.start", HttpMethods.Post, "/v2/emulators", Access.Manage)
    {
        Summary = "Start an emulator",
        Description = "The response comes when the emulator answers; its paths are below `/i/{id}`. The gateway watches it, and restarts it after a fault from its newest automatic state. "
            + "It ends with the gateway.",
        Request = new RecordParameters<EmulatorRequest>(new EmulatorRequest("", new EmulatorOptions()),
        [
            new RecordParameter<EmulatorRequest, string>(Rom, static (request, rom) => request with { Rom = rom }),
            .. EmulatorParameters.Of<EmulatorRequest>(EmulatorStarter.Operation, static request => request.Options, static (request, options) => request with { Options = options }),
            new RecordParameter<EmulatorRequest, string?>(NewId("Its id", "the lowest free number"), static (request, id) => request with { Id = id }),
        ]).Make<EmulatorRequest>(static request => request.Options.NotInWindow(EmulatorStarter.Operation).FirstOrDefault() is ({ } option, var instead)
            ? new WrongParameters($"{option.Name} cannot be used with a window: {instead}. Omit {option.Name} or window.")
            : request),
        RequestExample = """{"rom":"game.gba"}""",
        Run = StartAsync,
        ResponseExample = Example,
        Statuses =
        [
            (FailureKind.RomForbidden, "the ROM, the patch, the file of cheats or the BIOS is outside `Bridge:Owned:RomFolders`."),
            FailureKind.NoSuchRom, FailureKind.NoSuchPatch, FailureKind.NoSuchCheats, FailureKind.NoSuchBios, FailureKind.NoSuchState,
            FailureKind.TooManyEmulators, FailureKind.IdTaken,
            (FailureKind.OptionsRefused, "the ROM cannot have what the options of the cartridge, the console or the clock say, its save file or BIOS is of another kind, or they do not go together; `detail` says what to change. Nothing runs."),
            (FailureKind.EmulatorMissing, "mgba-headless or mgba-qt is not installed."),
            (FailureKind.StartFailed, "the emulator did not start, the patch is damaged or of another ROM, the file has no cheats, or the state is of another game; `detail` says why."),
            (FailureKind.StoreFailed, "the folder of the states cannot be used."),
        ],
    };

    public static HandlerOperation<string, StatusAnswer> Stop { get; } = new(Resource, "emulators.stop", HttpMethods.Delete, "/v2/emulators/{id}", Access.Manage)
    {
        Summary = "Stop an emulator that the gateway started",
        Description = "It saves its game and ends. Its automatic states stay.",
        Request = Parameters.Of(Id),
        Run = StopAsync,
        ResponseExample = Example,
        Statuses = [NotOwned, SaveNotWritten],
    };

    public static HandlerOperation<RunRequest, StatusAnswer> Run { get; } = new(Resource, "emulators.run", HttpMethods.Put, "/v2/emulators/{id}/run", Access.Manage)
    {
        Summary = "Pause, continue or change the speed of an emulator",
        Description = "While it is paused, reads, writes, states and reset are still answered. "
            + "A lease stays with its holder: while the emulator is paused its steps wait, then they run at the new speed; its time limit counts on, except while a step waits. "
            + "The response has the state after the change.",
        Request = Parameters.Of(
            Id,
            Parameter.Flag("paused", "Whether it is paused; omitted, that does not change.").Optional(),
            Fps.Optional() with { Sentence = $"{Fps.Sentence} Omitted, that does not change." },
            static Made<RunRequest> (id, paused, fps) => paused is null && fps is null
                ? new WrongParameters("Write paused, fps, or both: {\"paused\": false, \"fps\": 120}.")
                : new RunRequest(id, paused, fps)),
        RequestExample = """{"paused":false,"fps":120}""",
        Run = ChangeAsync,
        ResponseExample = Example,
        Statuses = [NotOwned, (FailureKind.Unsupported, "the emulator has a window, which only its user can pause.")],
    };

    public static HandlerOperation<double, StatusAnswer> HoldSpeed { get; } = new(Playing, "speed.hold", HttpMethods.Put, "/v2/speed", Access.Manage)
    {
        Summary = "Run an emulator faster for now",
        Description = "It runs at least at this speed until the caller releases it (`speed.release`), as a key is held: on a WebSocket until the socket closes. When several callers hold one, the highest counts; "
            + "after the last one the emulator runs as `emulators.run` has set it.",
        Request = Parameters.Of(Fps),
        RequestExample = """{"fps":238.91}""",
        Run = static (invocation, fps) => HoldSpeedAsync(invocation, fps),
        ResponseExample = Example,
        Holds = Held.Speed,
        Statuses = [NotOwned, (FailureKind.Unsupported, "the emulator has a window, whose user chooses its speed.")],
    };

    public static HandlerOperation<NoParameters, StatusAnswer> ReleaseSpeed { get; } = new(Playing, "speed.release", HttpMethods.Delete, "/v2/speed", Access.Manage)
    {
        Summary = "Release the speed that the caller holds",
        Request = Parameters.None,
        Run = static (invocation, _) => HoldSpeedAsync(invocation, null),
        ResponseExample = Example,
        Statuses = [NotOwned],
    };

    public static HandlerOperation<string, StatusAnswer> Restart { get; } = new(Resource, "emulators.restart", HttpMethods.Post, "/v2/emulators/{id}/restart", Access.Manage)
    {
        Summary = "Stop an emulator and start it again",
        Description = "It saves its game, ends, and starts with the same ROM, id and speed, as after switching it on. A ROM that was built again since is read again. The response comes when it answers. To continue where it was, load a state afterwards.",
        Request = Parameters.Of(Id),
        Run = static async (invocation, id) => UnwrittenSave(invocation.Get<Supervisor>().Find(id)) is { } failure ? failure : Of(await invocation.Get<Supervisor>().RestartAsync(id)),
        ResponseExample = Example,
        Statuses = [NotOwned, (FailureKind.StartFailed, "the emulator did not start again; `detail` says why. It keeps its id, and is tried again as after a fault."), SaveNotWritten],
    };

    public static HandlerOperation<string, EmulatorLogAnswer> Output { get; } = new(Resource, "emulators.log", HttpMethods.Get, "/v2/emulators/{id}/log", Access.Write)
    {
        Summary = "The last lines that an emulator printed",
        Description = "For owners: what it prints has paths of the machine. More is in the file that `process.log` of `emulators.list` names.",
        IsEffect = false,
        Request = Parameters.Of(Id),
        Run = static (invocation, id) => ValueTask.FromResult<Result<EmulatorLogAnswer>>(
            invocation.Get<Supervisor>().Find(id) is { } emulator
                ? new EmulatorLogAnswer(emulator.Output)
                : FailureOf(invocation.Get<Supervisor>().NotOwned(id))),
        ResponseExample = """{"lines":["mgba-headless: the game runs"]}""",
        Statuses = [NotOwned],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Start, Stop, Run, HoldSpeed, ReleaseSpeed, Restart, Output];

    private static async ValueTask<Result<StatusAnswer>> StartAsync(Invocation invocation, EmulatorRequest request)
    {
        StoredState? state = null;
        try
        {
            if (request.Options.State is { } name && (state = invocation.Get<StateStore>().Find(name)) is null)
            {
                return StoreOperations.NotFound(name);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return StoreOperations.StoreFailed(exception);
        }

        // not cancelled when the caller leaves: the emulator would be there, and nobody would know
        var result = await invocation.Get<Supervisor>().StartNamedAsync(request with { State = state });
        return Of(result);
    }

    private static async ValueTask<Result<StatusAnswer>> StopAsync(Invocation invocation, string id)
    {
        var supervisor = invocation.Get<Supervisor>();
        if (UnwrittenSave(supervisor.Find(id)) is { } failure)
        {
            return failure;
        }

        var before = supervisor.Find(id) is { } emulator ? StatusAnswer.Of(emulator.Client, emulator) : null;
        var result = await supervisor.StopAsync(id);
        return result.Failure is null && before is not null ? before : Of(result);
    }

    private static Failure? UnwrittenSave(OwnedEmulator? emulator) => emulator?.Client.Health.SaveProblem is not { } problem ? null : new Failure(
        FailureKind.SaveFailed,
        $"The end of the emulator would lose a save: {problem.TrimEnd('.')}. Make room on that disk, or let the emulator write there, and repeat the request. The end of the gateway (Ctrl-C, SIGTERM) keeps the save in an automatic state.");

    private static async ValueTask<Result<StatusAnswer>> HoldSpeedAsync(Invocation invocation, double? fps) =>
        Of(await invocation.Get<Supervisor>().HoldSpeedAsync(invocation.Emulator.Id, (invocation.Options.Owner ?? invocation.Options.Holder ?? Holder.Http).Name, fps));

    private static async ValueTask<Result<StatusAnswer>> ChangeAsync(Invocation invocation, RunRequest request) =>
                await StateAfterAsync(await invocation.Get<Supervisor>().ChangeAsync(request.Id, request.Paused, request.Fps));

    // the script tells of a pause or its end before it answers the next request
    private static async ValueTask<Result<StatusAnswer>> StateAfterAsync(SupervisionResult result)
    {
        if (result.Failure is null)
        {
            using var sign = await result.Emulator!.Client.SendAsync(new Ping());
        }

        return Of(result);
    }

    private static Result<StatusAnswer> Of(SupervisionResult result) => result switch
    {
        { Failure: null } => StatusAnswer.Of(result.Emulator!.Client, result.Emulator),
        _ => FailureOf(result),
    };

    /// <summary>No emulator has the id; without an id, there is none at all.</summary>
    internal static Failure NoSuchEmulator(string? id) => id is null
        ? new Failure(FailureKind.NoSuchEmulator, "There is no emulator.", new NextStep(Start, "starts one"))
        : new Failure(FailureKind.NoSuchEmulator, $"No emulator has the id {id}.", new NextStep(StatusOperations.Emulators, "lists them"));

    private static NextStep Listed => new(StatusOperations.Emulators, "lists them; those with process are the gateway's own");

    private static NextStep OtherRoms => new(RomOperations.List, "lists those that can be used");

    private static Failure FailureOf(SupervisionResult result) => FailureOf(result.Failure!.Value, result.Detail!);

    internal static Failure FailureOf(SupervisionFailure failure, string detail) => failure switch
    {
        SupervisionFailure.TooMany => new Failure(FailureKind.TooManyEmulators, detail, new NextStep(Stop, "stops one")),
        SupervisionFailure.IdTaken => new Failure(FailureKind.IdTaken, detail, Listed),
        SupervisionFailure.RomForbidden => new Failure(FailureKind.RomForbidden, detail, OtherRoms),
        SupervisionFailure.RomMissing => new Failure(FailureKind.NoSuchRom, detail, OtherRoms),
        SupervisionFailure.PatchMissing => new Failure(FailureKind.NoSuchPatch, detail),
        SupervisionFailure.BiosMissing => new Failure(FailureKind.NoSuchBios, detail),
        SupervisionFailure.CheatsMissing => new Failure(FailureKind.NoSuchCheats, detail),
        SupervisionFailure.ProgramMissing => new Failure(FailureKind.EmulatorMissing, detail),
        SupervisionFailure.OptionsRefused => new Failure(FailureKind.OptionsRefused, detail),
        SupervisionFailure.NoSuchEmulator => new Failure(FailureKind.NoSuchEmulator, detail, new NextStep(StatusOperations.Emulators, "lists them")),
        SupervisionFailure.NotOwned => new Failure(FailureKind.NotOwned, detail, Listed),
        SupervisionFailure.Unsupported => new Failure(FailureKind.Unsupported, detail),
        SupervisionFailure.NoAnswer => new Failure(FailureKind.NoAnswer, detail, Listed),
        _ => new Failure(FailureKind.StartFailed, detail),
    };
}

/// <summary>The JSON of owned emulators.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(StateConverter)])]
[JsonSerializable(typeof(EmulatorLogAnswer))]
[JsonSerializable(typeof(RomsAnswer))]
[JsonSerializable(typeof(RomDeletedAnswer))]
[JsonSerializable(typeof(RomUploadedAnswer))]
[JsonSerializable(typeof(StatusAnswer))]
internal sealed partial class OwnedJson : JsonSerializerContext;
