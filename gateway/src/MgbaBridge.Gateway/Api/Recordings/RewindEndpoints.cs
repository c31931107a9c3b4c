using System.Buffers;
using System.Globalization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Buffers;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Pictures;
using MgbaBridge.Gateway.Recordings;

namespace MgbaBridge.Gateway.Api.Recordings;

/// <summary>Going back in time.</summary>
public static class RewindEndpoints
{
    private const string Tag = "Recording";
    private const int Default = 60;
    private const string Example = """{"every":60,"most":60,"bytes":23511,"points":[{"frame":4711,"epoch":"9f3a01c2","bytes":23511}]}""";

    private static readonly (int, string)[] NotOn = [(404, "No states are kept; PUT /v2/rewind begins.")];
    private static readonly (int, string)[] NotThere = [(404, "The ring has no such state any more.")];

    /// <summary>Adds <c>/v2/rewind</c> and what is below it.</summary>
    public static void MapRewind(this IEndpointRouteBuilder routes)
    {
        routes.MapPut("/v2/rewind", Start).Describe(new OperationDescription(Tag, "Keep states to go back to")
        {
            Description = "Every so many frames the gateway takes a state; the oldest go when there are too many or they have more than 64 MiB, and all when the game changes. Each costs "
                + "the emulator about two milliseconds. What was kept before is dropped.",
            Body = Content.Json<RewindBody>("""{"every":60,"points":60}"""),
            BodyIsOptional = true,
            Answers = [Content.Json<RewindAnswer>(Example)],
            Asks = false,
        });
        routes.MapGet("/v2/rewind", http => WithRing(http, (http, ring) => AnswerAsync(http, ring))).Describe(new OperationDescription(Tag, "The states to go back to")
        {
            Answers = [Content.Json<RewindAnswer>(Example)],
            Asks = false,
            OtherResponses = NotOn,
        });
        routes.MapDelete("/v2/rewind", http => WithRing(http, StopAsync)).Describe(new OperationDescription(Tag, "Keep no states any more")
        {
            Answers = [Content.Json<RewindAnswer>(Example)],
            Asks = false,
            OtherResponses = NotOn,
        });
        routes.MapGet("/v2/rewind/{frame}/screen", http => WithPoint(http, ShowAsync)).Describe(new OperationDescription(Tag, "The picture of a state")
        {
            Answers = [Content.Bytes("image/png")],
            Asks = false,
            OtherResponses = [.. NotThere, (501, "This emulator has no picture.")],
        });
        routes.MapPost("/v2/rewind/{frame}", http => WithPoint(http, GoBackAsync)).Describe(new OperationDescription(Tag, "Go back to a state")
        {
            Description = "The script's frame count goes on, so later states stay in the list.",
            Inputs = [Input.Holder],
            Answers = [Content.Json<DoneAnswer>("""{"frame":4711,"epoch":"9f3a01c2"}""")],
            OtherResponses = [.. NotThere, (423, "Somebody else has the lockstep lease.")],
        });
    }

    private static Task Start(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.RewindBody, new RewindBody()) is not { } body)
        {
            return;
        }

        var (every, points) = (body.Every ?? Default, body.Points ?? Default);
        await (every is >= 10 and <= 36_000 && points is >= 1 and <= 1_000
            ? AnswerAsync(http, await http.Single<Rewinds>().StartAsync(emulator, every, points))
            : Problems.BadRequestAsync(http, "every is 10 to 36000 frames, points 1 to 1000.").AsTask());
    });

    private static Task WithRing(HttpContext http, Func<HttpContext, RewindRing, Task> then) => http.WithEmulatorAsync(async (http, emulator) =>
        await (http.Single<Rewinds>().Of(emulator) is { } ring
            ? then(http, ring)
            : Problems.NotThereAsync(http, "rewind", "No states are kept of this emulator; PUT /v2/rewind begins.").AsTask()));

    private static Task WithPoint(HttpContext http, Func<HttpContext, RewindPoint, Task> then) => WithRing(http, async (http, ring) =>
    {
        var name = http.Request.RouteValues["frame"] as string;
        var point = long.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out var frame) ? ring.Points.LastOrDefault(point => point.Frame == frame) : null;
        await (point is not null
            ? then(http, point)
            : Problems.NotThereAsync(http, "state", $"The ring has no state of frame {name}; GET /v2/rewind lists them.").AsTask());
    });

    private static async Task StopAsync(HttpContext http, RewindRing ring)
    {
        await http.Single<Rewinds>().StopAsync(ring.Emulator);
        await AnswerAsync(http, ring);
    }

    private static Task AnswerAsync(HttpContext http, RewindRing ring) => JsonBody.WriteAsync(http, RewindAnswer.Of(ring), BridgeJson.Default.RewindAnswer).AsTask();

    private static async Task ShowAsync(HttpContext http, RewindPoint point)
    {
        using var picture = StreamPool.Rent("rewind picture");
        if (!PngFile.TryWriteWithoutState(point.State.Span, picture))
        {
            await Problems.WriteAsync(http, null, new FailureReport(Failure.Rejected, "This emulator has no picture.") { Code = "unsupported" });
            return;
        }

        Headers.SetFrame(http.Response, point.Frame, point.Epoch);
        await RawAnswer.WriteAsync(http, picture, "image/png");
    }

    private static Task GoBackAsync(HttpContext http, RewindPoint point) =>
        http.SendAsCallerAsync(new LoadState(new ReadOnlySequence<byte>(point.State), null), Callers.DoneAsync);
}
