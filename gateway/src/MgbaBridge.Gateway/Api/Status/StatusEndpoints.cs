using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Emulator;

namespace MgbaBridge.Gateway.Api.Status;

/// <summary>How the emulators are.</summary>
public static class StatusEndpoints
{
    private const string Tag = "Status";

    /// <summary>Adds <c>GET /v2/status</c>.</summary>
    public static void MapStatus(this IEndpointRouteBuilder routes) => routes.MapGet("/v2/status", Status).Describe(new OperationDescription(Tag, "How the emulator is")
    {
        Description = "Answered without asking it anything. `detail` says what is wrong and what to do.",
        Asks = false,
        Answers = [Content.Json<StatusAnswer>("""{"id":"1","state":"ready","since":"2026-11-21T07:36:45Z","script":"0.1.0","mgba":"0.10","host":"qt","port":8888,"epoch":"9f3a01c2","title":"MGBABRIDGE","code":"AGB-BBTE","platform":"gba","capabilities":["screen"],"connections":2,"inFlight":0,"waiting":0}""")],
    });

    /// <summary>Adds <c>GET /v2/emulators</c>, which exists once.</summary>
    public static void MapEmulators(this IEndpointRouteBuilder routes) => routes.MapGet("/v2/emulators", List).Describe(new OperationDescription(Tag, "All emulators, and how each is")
    {
        Description = "Every path exists for each emulator below `/i/{id}`; without that the first one is meant.",
        Asks = false,
        Answers = [Content.Json<IReadOnlyList<StatusAnswer>>("""[{"id":"1","state":"ready","since":"2026-11-21T07:36:45Z","capabilities":["screen"],"connections":2,"inFlight":0,"waiting":0}]""")],
    });

    /// <summary>Tells how the emulator is, without asking it anything.</summary>
    private static Task Status(HttpContext http) => http.TryGetEmulator(out var emulator)
        ? JsonBody.WriteAsync(http, StatusAnswer.Of(emulator!), BridgeJson.Default.StatusAnswer).AsTask()
        : Problems.NoSuchEmulatorAsync(http).AsTask();

    /// <summary>Lists the emulators and tells how each is.</summary>
    private static Task List(HttpContext http)
    {
        IReadOnlyList<StatusAnswer> all = [.. http.RequestServices.GetRequiredService<Emulators>().All.Select(StatusAnswer.Of)];
        return JsonBody.WriteAsync(http, all, BridgeJson.Default.IReadOnlyListStatusAnswer).AsTask();
    }
}

/// <summary>For those who supervise the gateway.</summary>
public static class HealthEndpoints
{
    private const string Tag = "Status";

    /// <summary>Adds <c>/healthz</c> (this process) and <c>/readyz</c> (its emulator).</summary>
    public static void MapHealth(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/healthz", Healthy).Describe(new OperationDescription(Tag, "Whether the gateway runs") { Asks = false, Answers = [new Content("text/plain", null, "\"ok\"")] });
        routes.MapGet("/readyz", Ready).Describe(new OperationDescription(Tag, "Whether the emulator answers and its frames advance")
        {
            Asks = false,
            Answers = [Content.Json<ReadyAnswer>("""{"ready":true,"state":"ready","since":"2026-11-21T07:36:45Z"}""")],
            OtherResponses = [(503, "It does not; `detail` says what is wrong and what to do.")],
        });
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
        return JsonBody.WriteAsync(http, new ReadyAnswer(ready, health.State, health.Since, health.Detail), BridgeJson.Default.ReadyAnswer).AsTask();
    }
}
