using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Buffers;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Api.Status;

/// <summary>What is measured, for Prometheus.</summary>
public static class MetricsEndpoint
{
    private const string Tag = "Status";

    /// <summary>Adds <c>GET /metrics</c>, which exists once, and begins to count.</summary>
    public static void MapMetrics(this IEndpointRouteBuilder routes)
    {
        var page = routes.ServiceProvider.GetRequiredService<MetricsPage>();
        routes.MapGet("/metrics", http => Scrape(http, page)).Describe(new OperationDescription(Tag, "What is measured, for Prometheus")
        {
            Description = "Requests, retries and connections of every emulator, HTTP requests by path and status, and the runtime, counted since the gateway's start. Text format 0.0.4.",
            Asks = false,
            Answers = [new Content("text/plain", null, "\"# TYPE mgba_emulator_up gauge\\nmgba_emulator_up{mgba_emulator=\\\"1\\\"} 1\\n\"")],
        });
    }

    /// <summary>Writes the page.</summary>
    private static async Task Scrape(HttpContext http, MetricsPage page)
    {
        using var body = StreamPool.Rent("metrics");
        page.Write(body);
        await RawAnswer.WriteAsync(http, body, MetricsPage.MediaType);
    }
}
