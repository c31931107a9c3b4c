using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Status;

/// <summary>The state of the gateway and its emulators.</summary>
internal static class StatusOperations
{
    private static readonly Resource Resource = new("Status", StatusJson.Default) { UsesEmulator = false };

    public static HandlerOperation<NoParameters, StatusAnswer> Get { get; } = new(Resource, "status.get", HttpMethods.Get, "/v2/status", Access.Read)
    {
        Summary = "The status of the emulator",
        Description = "Answered without a request to the emulator. `detail` says what is wrong and what to do.",
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<StatusAnswer>>(StatusOf(invocation, invocation.Emulator)),
        ResponseExample = """{"id":"1","state":"ready","since":"2026-11-21T07:36:45Z","script":"0.1.0","mgba":"0.10","host":"qt","port":8888,"epoch":"9f3a01c2","title":"MGBABRIDGE","code":"AGB-BBTE","platform":"gba","capabilities":["screen"],"connections":2,"inFlight":0,"waiting":0}""",
    };

    public static HandlerOperation<NoParameters, IReadOnlyList<StatusAnswer>> Emulators { get; } = new(Resource, "emulators.list", HttpMethods.Get, "/v2/emulators", Access.Read)
    {
        Summary = "All emulators and the status of each",
        Description = "Every path exists for each emulator below `/i/{id}`; without this prefix it addresses the first one. "
            + $"Scripts that were found on ports {Wire.FirstPort} to {Wire.FirstPort + Wire.Ports - 1} "
            + "and refuse the gateway are listed as `script-PORT`, with what to change in `detail`.",
        IsPerEmulator = false,
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult(new Result<IReadOnlyList<StatusAnswer>>(
            [
                .. invocation.Get<EmulatorRegistry>().SeenBy(invocation.Caller.Owner).Select(emulator => StatusOf(invocation, emulator)),
                .. invocation.Caller.Owner is null ? invocation.Get<EmulatorRegistry>().Unusable.Select(script => StatusAnswer.Of(script).For(invocation.Caller)) : [],
            ],
            null)),
        ResponseExample = """[{"id":"1","state":"ready","since":"2026-11-21T07:36:45Z","capabilities":["screen"],"connections":2,"inFlight":0,"waiting":0}]""",
    };

    public static HandlerOperation<NoParameters, TextAnswer> Health { get; } = new(Resource, "health.live", HttpMethods.Get, "/healthz", Access.Read)
    {
        Summary = "Whether the gateway runs",
        Description = "Of the gateway alone, and without a token; `/readyz` is about an emulator.",
        IsWithoutToken = true,
        IsPerEmulator = false,
        Request = Parameters.None,
        Run = static (_, _) => ValueTask.FromResult<Result<TextAnswer>>(new TextAnswer("ok")),
        Bytes = TextAnswer.AsBytes,
        ResponseExample = "\"ok\"",
    };

    public static HandlerOperation<NoParameters, ReadyAnswer> Readiness { get; } = new(Resource, "health.ready", HttpMethods.Get, "/readyz", Access.Read)
    {
        Summary = "Whether the emulator responds and its frames advance",
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult(ReadinessOf(invocation)),
        ResponseExample = """{"ready":true,"state":"ready","since":"2026-11-21T07:36:45Z"}""",
        Statuses = [(FailureKind.NotReady, "the emulator is not ready; `detail` says what is wrong and what to do.")],
    };

    public static HandlerOperation<NoParameters, FileAnswer> Metrics { get; } = new(Resource, "metrics.get", HttpMethods.Get, "/metrics", Access.Read)
    {
        Summary = "What is measured, for Prometheus",
        Description = "Requests, retries and connections of every emulator, HTTP requests by path and status, and the runtime, counted since the gateway's start. Text format 0.0.4.",
        IsPerEmulator = false,
        IsShared = true,
        Request = Parameters.None,
        Run = static (invocation, _) =>
        {
            var page = StreamPool.Rent("metrics");
            invocation.Get<MetricsPage>().Write(page);
            return ValueTask.FromResult<Result<FileAnswer>>(new FileAnswer(page));
        },
        Bytes = FileAnswer.AsBytes(MetricsPage.MediaType),
        ResponseExample = "\"# TYPE mgba_emulator_up gauge\\nmgba_emulator_up{mgba_emulator=\\\"1\\\"} 1\\n\"",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Emulators, Health, Readiness, Metrics];

    private static StatusAnswer StatusOf(Invocation invocation, EmulatorClient emulator) =>
        StatusAnswer.Of(emulator, invocation.Get<Supervisor>().Find(emulator.Id), invocation.Get<DoorClients>().Of(emulator.Id)).For(invocation.Caller);

    private static Result<ReadyAnswer> ReadinessOf(Invocation invocation) => invocation.Emulator.Health is { Advances: true } health
        ? new ReadyAnswer(true, health.State, health.Since, ShownText.For(invocation.Caller, health.Detail))
        : NotReady(invocation.Emulator.Health);

    private static Failure NotReady(EmulatorHealth health) => new(FailureKind.NotReady, health.Detail ?? $"The emulator is {health.State}.");
}

/// <summary>The JSON of states.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(StateConverter)])]
[JsonSerializable(typeof(StatusAnswer))]
[JsonSerializable(typeof(IReadOnlyList<StatusAnswer>))]
[JsonSerializable(typeof(ReadyAnswer))]
internal sealed partial class StatusJson : JsonSerializerContext;
