using MgbaBridge.Gateway.Endpoints.OpenApi;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>For those who supervise the gateway.</summary>
public static class HealthEndpoints
{
    private const string Tag = "Status";

    /// <summary>Adds <c>/healthz</c> (this process) and <c>/readyz</c> (its emulator).</summary>
    public static void MapHealth(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/healthz", Healthy).Describe(new Operation(Tag, "Whether the gateway runs") { Asks = false, Answers = [new Content("text/plain", null, "\"ok\"")] });
        routes.MapGet("/readyz", Ready).Describe(new Operation(Tag, "Whether the emulator answers and its frames advance")
        {
            Asks = false,
            Answers = [Content.Json<ReadyAnswer>("""{"ready":true,"state":"ready","since":"2026-11-21T07:36:45Z"}""")],
            Otherwise = [(503, "It does not; `detail` says what is wrong and what to do.")],
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
