using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints.OpenApi;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Waiting for the game.</summary>
public static class WaitEndpoints
{
    // a game may run slower than it should; one that does not run at all is noticed otherwise
    private static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Longest = TimeSpan.FromHours(1);

    /// <summary>Adds <c>/v2/wait</c>.</summary>
    public static void MapWait(this IEndpointRouteBuilder routes) => routes.MapPost("/v2/wait", WaitFor).Describe(new Operation(
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
            await Problems.BadRequestAsync(http, WaitBody.Forms);
            return;
        }

        var timeout = body.Frames is { } frames ? AtLeast + (PerFrame * Math.Clamp(frames, 0, 36_000)) : Longest;
        await http.AskAsCallerAsync(
            command,
            static (http, _, reply) =>
            {
                var (met, values) = Wait.Parse(reply);
                return JsonBody.WriteAsync(http, new WaitAnswer(reply.Frame, reply.Epoch, met, values), BridgeJson.Default.WaitAnswer);
            },
            timeout);
    }
}
