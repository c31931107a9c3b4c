using System.Text;
using MgbaBridge.Gateway.Benchmarks.Wire;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace MgbaBridge.Gateway.Benchmarks.Compare;

/// <summary>`front`: HTTP before the plain script, with the paths that loadtest/ladder.js asks.</summary>
internal static class FrontCommand
{
    private const int Kept = 8;
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(3); // as the gateway's

    public static async Task<int> RunAsync(string[] arguments)
    {
        var options = new Arguments(arguments);
        var port = options.Whole("port", 8888);
        var http = options.Whole("http-port", 5000);
        var asker = Of(options.Text("mode"), port);
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
        app.MapGet("/mgbaendpoint", (HttpContext context) => AnswerAsync(context, asker, $"mgba-http.echo,{context.Request.Query["message"]}"));
        app.MapGet("/readyz", (HttpContext context) => AnswerAsync(context, asker, "core.currentFrame"));
        app.MapGet("/v2/game", (HttpContext context) => AnswerAsync(context, asker, "core.currentFrame"));
        await app.RunAsync();
        return 0;
    }

    private static IPlainAsker Of(string mode, int port) => mode switch
    {
        "fresh" => new FreshAsker(port),
        "pool" => new PooledAsker(port, Kept),
        "bounded" => new BoundedAsker(new PooledAsker(port, Kept), Kept),
        "retry" => new RetryingAsker(new PooledAsker(port, Kept)),
        _ => throw new WireException($"there is no mode {mode}; there are fresh, pool, bounded and retry"),
    };

    private static async Task AnswerAsync(HttpContext http, IPlainAsker asker, string message)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted);
        deadline.CancelAfter(Deadline);
        try
        {
            var answer = await asker.AskAsync(Encoding.UTF8.GetBytes(message), deadline.Token);
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
