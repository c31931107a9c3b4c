using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;

namespace MgbaBridge.Gateway.Api.Waits;

/// <summary>Waiting for the game.</summary>
public static class WaitEndpoints
{
    /// <summary>Adds <c>/v2/wait</c>.</summary>
    public static void MapWait(this IEndpointRouteBuilder routes) => routes.MapPost("/v2/wait", WaitFor).Describe(new OperationDescription(
        "Playing", "Wait until memory says so, or for some frames")
    {
        Description = "Looked at when it arrives and then once a frame, inside the emulator. A caller that leaves takes it back. Without `frames` it waits up to an hour.",
        Body = Content.Json<WaitBody>("""{"all":[{"location":"0x02000008","type":"u32","is":"ge","value":100}],"frames":600}"""),
        Answers = [Content.Json<WaitAnswer>("""{"frame":4931,"epoch":"9f3a01c2","met":true,"values":[104]}""")],
    });

    private static async Task WaitFor(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.WaitBody) is not { } body)
        {
            return;
        }

        if (body.Command() is not { } command)
        {
            await Problems.BadRequestAsync(http, WaitBody.FormatHint);
            return;
        }

        await http.SendAsCallerAsync(
            command,
            static (http, _, reply) => JsonBody.WriteAsync(http, WaitAnswer.Of(reply), BridgeJson.Default.WaitAnswer),
            body.MaxWait);
    }
}
