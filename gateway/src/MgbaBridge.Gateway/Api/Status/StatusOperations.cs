using System.Text.Json.Serialization;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Api.Status;

/// <summary>The state of the gateway and its emulators.</summary>
internal static class StatusOperations
{
    private const string Tag = "Status";

    public static HandlerOperation<NoParameters, StatusAnswer> Get { get; } = new("status.get", HttpMethods.Get, "/v2/status", Access.Read)
    {
        Tag = Tag,
        Summary = "The status of the emulator",
        Description = "Answered without a request to the emulator. `detail` says what is wrong and what to do.",
        UsesEmulator = false,
        Request = Parameters.None,
        Run = static (context, _) => ValueTask.FromResult<OperationResult<StatusAnswer>>(StatusOf(context, context.Emulator)),
        Response = StatusJson.Default,
        ResponseExample = """{"id":"1","state":"ready","since":"2026-11-21T07:36:45Z","script":"0.1.0","mgba":"0.10","host":"qt","port":8888,"epoch":"9f3a01c2","title":"MGBABRIDGE","code":"AGB-BBTE","platform":"gba","capabilities":["screen"],"connections":2,"inFlight":0,"waiting":0}""",
    };

    public static HandlerOperation<NoParameters, IReadOnlyList<StatusAnswer>> Emulators { get; } = new("emulators.list", HttpMethods.Get, "/v2/emulators", Access.Read)
    {
        Tag = Tag,
        Summary = "All emulators and the status of each",
        Description = "Every path exists for each emulator below `/i/{id}`; without this prefix it addresses the first one. Scripts that were found on ports 8888 to 8903 "
            + "and refuse the gateway are listed as `script-PORT`, with what to change in `detail`.",
        IsPerEmulator = false,
        UsesEmulator = false,
        Request = Parameters.None,
        Run = static (context, _) => ValueTask.FromResult(new OperationResult<IReadOnlyList<StatusAnswer>>(
            [.. context.Single<Emulators>().All.Select(emulator => StatusOf(context, emulator)), .. context.Single<Emulators>().Unusable.Select(StatusAnswer.Of)], null)),
        Response = StatusJson.Default,
        ResponseExample = """[{"id":"1","state":"ready","since":"2026-11-21T07:36:45Z","capabilities":["screen"],"connections":2,"inFlight":0,"waiting":0}]""",
    };

    public static EndpointOperation Health { get; } = new("health.live", HttpMethods.Get, "/healthz", Access.Read, Healthy)
    {
        Tag = Tag,
        Summary = "Whether the gateway runs",
        Description = "Of the gateway alone, and without a token; `/readyz` is about an emulator.",
        IsWithoutToken = true,
        IsPerEmulator = false,
        UsesEmulator = false,
        Contents = [new Content("text/plain", null, "\"ok\"")],
    };

    public static EndpointOperation Readiness { get; } = new("health.ready", HttpMethods.Get, "/readyz", Access.Read, Ready)
    {
        Tag = Tag,
        Summary = "Whether the emulator responds and its frames advance",
        UsesEmulator = false,
        Contents = [Content.Json<ReadyAnswer>("""{"ready":true,"state":"ready","since":"2026-11-21T07:36:45Z"}""")],
        Json = StatusJson.Default,
        OtherResponses = [(503, "The emulator is not ready; `detail` says what is wrong and what to do.")],
    };

    public static EndpointOperation Metrics { get; } = new("metrics.get", HttpMethods.Get, "/metrics", Access.Read, ScrapeAsync)
    {
        Tag = Tag,
        Summary = "What is measured, for Prometheus",
        Description = "Requests, retries and connections of every emulator, HTTP requests by path and status, and the runtime, counted since the gateway's start. Text format 0.0.4.",
        IsPerEmulator = false,
        UsesEmulator = false,
        Contents = [new Content("text/plain", null, "\"# TYPE mgba_emulator_up gauge\\nmgba_emulator_up{mgba_emulator=\\\"1\\\"} 1\\n\"")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Emulators, Health, Readiness, Metrics];

    private static StatusAnswer StatusOf(OperationContext context, EmulatorClient emulator) =>
        StatusAnswer.Of(emulator, context.Single<Supervisor>().Find(emulator.Id));

    private static async Task ScrapeAsync(HttpContext http)
    {
        using var body = StreamPool.Rent("metrics");
        http.Single<MetricsPage>().Write(body);
        await RawAnswer.WriteAsync(http, body, MetricsPage.MediaType);
    }

    /// <summary>Answers 200 as long as the gateway runs.</summary>
    private static Task Healthy(HttpContext http)
    {
        http.Response.ContentType = "text/plain; charset=utf-8";
        return http.Response.WriteAsync("ok");
    }

    /// <summary>Answers 200 when the emulator answers and its frames advance, else 503 with what is wrong and what to do.</summary>
    private static Task Ready(HttpContext http)
    {
        if (!http.TryGetEmulator(out var emulator))
        {
            return Problems.NoSuchEmulatorAsync(http).AsTask();
        }

        var health = emulator!.Health;
        var ready = health.Advances;
        http.Response.StatusCode = ready ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        return JsonBody.WriteAsync(http, new ReadyAnswer(ready, health.State, health.Since, health.Detail), StatusJson.Default.ReadyAnswer).AsTask();
    }
}

/// <summary>The JSON of states.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(StateConverter)])]
[JsonSerializable(typeof(StatusAnswer))]
[JsonSerializable(typeof(IReadOnlyList<StatusAnswer>))]
[JsonSerializable(typeof(ReadyAnswer))]
internal sealed partial class StatusJson : JsonSerializerContext;
