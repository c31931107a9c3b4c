using System.Globalization;

namespace MgbaBridge.Lab.Designs;

/// <summary>`front`: an HTTP server with the paths that loadtest/ladder.js requests, in front of a script, in one of the designs.</summary>
internal static class Front
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(3); // that of the gateway

    public static async Task<int> RunAsync(string name, int port, int httpPort)
    {
        if (!Design.All.TryGetValue(name, out var create))
        {
            throw new MeasurementException($"unknown design {name}; the designs are {string.Join(", ", Design.All.Keys)}");
        }

        var design = create(port);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(System.Net.IPAddress.Loopback, httpPort, options => options.Protocols = Microsoft.AspNetCore.Server.Kestrel.Core.HttpProtocols.Http1));
        await using var app = builder.Build();
        app.MapGet("/mgbaendpoint", (HttpContext http, string message) => AnswerAsync(http, design, $"echo \"{message}\""));
        app.MapGet("/readyz", (HttpContext http) => AnswerAsync(http, design, "ping"));
        app.MapGet("/v2/game", (HttpContext http) => AnswerAsync(http, design, "ping"));
        app.MapGet("/metrics", (HttpContext http) => http.Response.WriteAsync(string.Create(CultureInfo.InvariantCulture, $"mgba_client_connection_opened_total {ScriptSocket.Opened}\n")));
        await app.RunAsync();
        return 0;
    }

    private static async Task AnswerAsync(HttpContext http, Design design, string command)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted);
        timeout.CancelAfter(Timeout);
        try
        {
            var reply = await design.SendAsync(command, timeout.Token);
            http.Response.Headers["Mgba-Frame"] = reply.Frame.ToString(CultureInfo.InvariantCulture);
            await http.Response.WriteAsync(reply.Values.Trim('"'), http.RequestAborted);
        }
        catch (Exception exception) when (!http.Response.HasStarted)
        {
            http.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            await http.Response.WriteAsync(exception.Message, CancellationToken.None);
        }
    }
}
