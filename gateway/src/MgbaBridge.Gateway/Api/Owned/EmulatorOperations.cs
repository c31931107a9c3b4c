using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Api.States;
using MgbaBridge.Gateway.Api.Status;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Supervision;

namespace MgbaBridge.Gateway.Api.Owned;

/// <summary>Emulators that the gateway starts and stops itself.</summary>
internal static class EmulatorOperations
{
    private const string Tag = "Emulators";
    private const int MaxRoms = 1_000;
    private const string Example = """{"id":"2","state":"ready","since":"2026-11-22T05:55:15Z","capabilities":["screen"],"connections":2,"inFlight":0,"waiting":0,"process":{"pid":6465,"rom":"/games/game.gba","window":false,"startedAt":"2026-11-22T05:55:14Z","uptimeSeconds":12.5,"memoryBytes":23068672,"cpuSeconds":0.4,"fps":59.73,"paused":false,"restarts":0,"saves":"/games","log":"/home/me/.local/state/mgba-bridge/1/emulators/2/emulator.log"}}""";

    private static readonly (int Status, string When) NotOwned = (409, "`not-owned`: the gateway did not start this emulator.");

    public static HandlerOperation<StartEmulatorBody, StatusAnswer> Start { get; } = new("emulators.start", HttpMethods.Post, "/v2/emulators", Access.Manage)
    {
        Tag = Tag,
        Summary = "Start an emulator",
        Description = "The response comes when the emulator answers; its paths are below `/i/{id}`. The gateway watches it, and restarts it after a fault from its newest automatic state. "
            + "It ends with the gateway.",
        IsPerEmulator = false,
        UsesEmulator = false,
        Request = Request.Body<StartEmulatorBody>(OwnedJson.Default, """{"rom":"game.gba"}"""),
        Run = StartAsync,
        Response = OwnedJson.Default,
        ResponseExample = Example,
        OtherResponses =
        [
            (403, "`rom-forbidden`: the ROM is outside `Bridge:Owned:RomFolders`."),
            (404, "`no-such-rom`, `no-such-state`."),
            (409, "`too-many-emulators`, `id-taken`."),
            (501, "`emulator-missing`: mgba-headless or mgba-qt is not installed."),
            (502, "`start-failed`: the emulator did not start, or the state is of another game; `detail` says why."),
            (507, "`store-failed`: the folder of the states cannot be used."),
        ],
    };

    public static HandlerOperation<EmulatorRequestId, StatusAnswer> Stop { get; } = new("emulators.stop", HttpMethods.Delete, "/v2/emulators/{id}", Access.Manage)
    {
        Tag = Tag,
        Summary = "Stop an emulator that the gateway started",
        Description = "It saves its game and ends. Its automatic states stay.",
        IsPerEmulator = false,
        UsesEmulator = false,
        Request = OfId,
        Run = StopAsync,
        Response = OwnedJson.Default,
        ResponseExample = Example,
        OtherResponses = [NotOwned],
    };

    public static HandlerOperation<RunRequest, StatusAnswer> Run { get; } = new("emulators.run", HttpMethods.Put, "/v2/emulators/{id}/run", Access.Manage)
    {
        Tag = Tag,
        Summary = "Pause, continue or change the speed of an emulator",
        Description = "While it is paused, reads, writes, states and reset are still answered. The response has the state after the change.",
        IsPerEmulator = false,
        UsesEmulator = false,
        Request = Request.Body<RunRequest, RunBody>(OwnedJson.Default, """{"paused":false,"fps":120}""", static (HttpContext http, RunBody body, out RunRequest request) =>
        {
            request = new RunRequest(IdOf(http), body.Paused, body.Fps);
            return null;
        }),
        Run = ChangeAsync,
        Response = OwnedJson.Default,
        ResponseExample = Example,
        OtherResponses = [NotOwned, (501, "`unsupported`: the emulator has a window, which only its user can pause.")],
    };

    public static HandlerOperation<EmulatorRequestId, StatusAnswer> Restart { get; } = new("emulators.restart", HttpMethods.Post, "/v2/emulators/{id}/restart", Access.Manage)
    {
        Tag = Tag,
        Summary = "Stop an emulator and start it again",
        Description = "It saves its game, ends, and starts with the same ROM, id and speed, as after switching it on. The response comes when it answers. To continue where it was, load a state afterwards.",
        IsPerEmulator = false,
        UsesEmulator = false,
        Request = OfId,
        Run = static async (context, request) => Of(await context.Single<Supervisor>().RestartAsync(request.Id)),
        Response = OwnedJson.Default,
        ResponseExample = Example,
        OtherResponses = [NotOwned, (502, "`start-failed`: the emulator did not start again; `detail` says why. It keeps its id, and is tried again as after a fault.")],
    };

    public static HandlerOperation<EmulatorRequestId, EmulatorLogAnswer> Output { get; } = new("emulators.log", HttpMethods.Get, "/v2/emulators/{id}/log", Access.Read)
    {
        Tag = Tag,
        Summary = "The last lines that an emulator printed",
        Description = "More is in the file that `process.log` of `GET /v2/emulators` names.",
        IsPerEmulator = false,
        UsesEmulator = false,
        Request = OfId,
        Run = static (context, request) => ValueTask.FromResult<OperationResult<EmulatorLogAnswer>>(
            context.Single<Supervisor>().Find(request.Id) is { } emulator
                ? new EmulatorLogAnswer(emulator.Output)
                : RefusalOf(SupervisionFailure.NotOwned, $"The gateway did not start an emulator {request.Id}. GET /v2/emulators lists all; those with process are its own.")),
        Response = OwnedJson.Default,
        ResponseExample = """{"lines":["mgba-headless: the game runs"]}""",
        OtherResponses = [NotOwned],
    };

    public static HandlerOperation<NoParameters, RomsAnswer> Roms { get; } = new("emulators.roms", HttpMethods.Get, "/v2/roms", Access.Read)
    {
        Tag = Tag,
        Summary = "The ROMs that can be started",
        Description = $"GBA, GB and GBC files below `Bridge:Owned:RomFolders`, at most {MaxRoms} of the first 20000 files. Symbolic links are skipped.",
        IsPerEmulator = false,
        UsesEmulator = false,
        Request = Request.None,
        Run = static (context, _) => ValueTask.FromResult<OperationResult<RomsAnswer>>(new RomsAnswer(context.Single<Supervisor>().Roms(MaxRoms))),
        Response = OwnedJson.Default,
        ResponseExample = """{"roms":["game.gba"]}""",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Start, Stop, Run, Restart, Output, Roms];

    private static RequestBinding<EmulatorRequestId> OfId => Request.Route(OwnedJson.Default, static (HttpContext http, out EmulatorRequestId request) =>
    {
        request = new EmulatorRequestId(IdOf(http));
        return null;
    });

    private static string IdOf(HttpContext http) => http.Request.RouteValues[RequestSender.IdRoute] as string ?? "";

    private static async ValueTask<OperationResult<StatusAnswer>> StartAsync(OperationContext context, StartEmulatorBody body)
    {
        if (body.Check() is { } wrong)
        {
            return Refusal.BadRequest(wrong);
        }

        StoredState? state = null;
        try
        {
            if (body.State is { } name && (state = context.Single<StateStore>().Find(name)) is null)
            {
                return Refusal.NotFound("state", $"There is no state {name}. GET /v2/states lists them.");
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return StoreOperations.StoreFailed(exception);
        }

        // not cancelled when the caller leaves: the emulator would be there, and nobody would know
        var result = await context.Single<Supervisor>().StartNamedAsync(new EmulatorRequest(body.Rom, body.Id, state, body.Fps, body.Window));
        return Of(result);
    }

    private static async ValueTask<OperationResult<StatusAnswer>> StopAsync(OperationContext context, EmulatorRequestId request)
    {
        var supervisor = context.Single<Supervisor>();
        var before = supervisor.Find(request.Id) is { } emulator ? StatusAnswer.Of(emulator.Client, emulator) : null;
        var result = await supervisor.StopAsync(request.Id);
        return result.Failure is null && before is not null ? before : Of(result);
    }

    private static async ValueTask<OperationResult<StatusAnswer>> ChangeAsync(OperationContext context, RunRequest request) =>
        request is { Paused: null, Fps: null } ? Refusal.BadRequest("Write paused, fps, or both: {\"paused\": false, \"fps\": 120}.")
        : RunBody.CheckFps(request.Fps) is { } wrong ? Refusal.BadRequest(wrong)
        : await StateAfterAsync(await context.Single<Supervisor>().ChangeAsync(request.Id, request.Paused, request.Fps));

    // the script tells of a pause or its end before it answers the next request
    private static async ValueTask<OperationResult<StatusAnswer>> StateAfterAsync(SupervisionResult result)
    {
        if (result.Failure is null)
        {
            using var sign = await result.Emulator!.Client.SendAsync(new Ping());
        }

        return Of(result);
    }

    private static OperationResult<StatusAnswer> Of(SupervisionResult result) => result switch
    {
        { Failure: null } => StatusAnswer.Of(result.Emulator!.Client, result.Emulator),
        _ => RefusalOf(result.Failure.Value, result.Detail!),
    };

    private static Refusal RefusalOf(SupervisionFailure failure, string detail) => failure switch
    {
        SupervisionFailure.TooMany => Refusal.Conflict("too-many-emulators", "There are as many emulators as allowed", detail),
        SupervisionFailure.IdTaken => Refusal.Conflict("id-taken", "Another emulator has the id", detail),
        SupervisionFailure.RomForbidden => new Refusal(StatusCodes.Status403Forbidden, "rom-forbidden", "The ROM is outside the allowed folders", detail),
        SupervisionFailure.RomMissing => Refusal.NotFound("rom", detail),
        SupervisionFailure.ProgramMissing => new Refusal(StatusCodes.Status501NotImplemented, "emulator-missing", "The emulator is not installed", detail),
        SupervisionFailure.NotOwned => Refusal.Conflict("not-owned", "The gateway did not start this emulator", detail),
        SupervisionFailure.Unsupported => new Refusal(StatusCodes.Status501NotImplemented, "unsupported", "This emulator cannot do that", detail),
        SupervisionFailure.NoAnswer => new Refusal(StatusCodes.Status503ServiceUnavailable, "no-answer", "The emulator does not answer", detail),
        _ => new Refusal(StatusCodes.Status502BadGateway, "start-failed", "The emulator did not start", detail),
    };
}

/// <summary>The JSON of owned emulators.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(StateConverter)])]
[JsonSerializable(typeof(StartEmulatorBody))]
[JsonSerializable(typeof(EmulatorRequestId))]
[JsonSerializable(typeof(RunRequest))]
[JsonSerializable(typeof(RunBody))]
[JsonSerializable(typeof(EmulatorLogAnswer))]
[JsonSerializable(typeof(RomsAnswer))]
[JsonSerializable(typeof(StatusAnswer))]
internal sealed partial class OwnedJson : JsonSerializerContext;
