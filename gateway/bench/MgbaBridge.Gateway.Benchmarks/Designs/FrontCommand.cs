using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace MgbaBridge.Gateway.Benchmarks.Designs;

/// <summary>`front`: an HTTP server in front of the baseline script, with the paths that loadtest/ladder.js requests.</summary>
internal static class FrontCommand
{
    private const int PoolSize = 8;
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(3); // the gateway's default

    public static async Task<int> RunAsync(string[] arguments)
    {
        var options = new Arguments(arguments);
        var port = options.Integer("port", 8888);
        var http = options.Integer("http-port", 5000);
        var client = ClientOf(options.Text("mode"), port);
        options.MustBeEmpty();

        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.ListenLocalhost(http);
            kestrel.Limits.MaxRequestLineSize = 256 * 1024;
            kestrel.Limits.MaxRequestBufferSize = null;
        });
        await using var app = builder.Build();
        app.MapGet("/mgbaendpoint", (HttpContext context) => AnswerAsync(context, client, $"mgba-http.echo,{context.Request.Query["message"]}"));
        app.MapGet("/readyz", (HttpContext context) => AnswerAsync(context, client, "core.currentFrame"));
        app.MapGet("/v2/game", (HttpContext context) => AnswerAsync(context, client, "core.currentFrame"));
        await app.RunAsync();
        return 0;
    }

    private static IBaselineClient ClientOf(string mode, int port) => mode switch
    {
        "fresh" => new ConnectPerRequestClient(port),
        "pool" => new PooledClient(port, PoolSize),
        "bounded" => new BoundedClient(new PooledClient(port, PoolSize), PoolSize),
        "retry" => new RetryingClient(new PooledClient(port, PoolSize)),
        _ => throw new MeasurementException($"unknown mode {mode}; the modes are fresh, pool, bounded and retry"),
    };

    private static async Task AnswerAsync(HttpContext http, IBaselineClient client, string message)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted);
        timeout.CancelAfter(Timeout);
        try
        {
            var answer = await client.SendAsync(Encoding.UTF8.GetBytes(message), timeout.Token);
            if (message == "core.currentFrame")
            {
                http.Response.Headers["Mgba-Frame"] = Encoding.ASCII.GetString(answer);
            }
            await http.Response.Body.WriteAsync(answer);
        }
        catch (Exception exception) when (!http.Response.HasStarted)
        {
            http.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            await http.Response.WriteAsync(exception.Message);
        }
    }
}
