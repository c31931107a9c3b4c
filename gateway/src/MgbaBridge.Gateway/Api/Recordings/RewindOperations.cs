using System.Buffers;
using System.Globalization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Buffers;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Pictures;
using MgbaBridge.Gateway.Recordings;

namespace MgbaBridge.Gateway.Api.Recordings;

/// <summary>The rewind ring: states of past frames that can be loaded again.</summary>
internal static class RewindOperations
{
    private const string Tag = "Recording";
    private const int Default = 60;
    private const string Example = """{"every":60,"most":60,"bytes":23511,"points":[{"frame":4711,"epoch":"9f3a01c2","bytes":23511}]}""";

    private static readonly (int, string)[] NotOn = [(404, "No states are kept; PUT /v2/rewind begins.")];
    private static readonly (int, string)[] NotFound = [(404, "The ring has no such state any more.")];

    public static HandlerOperation<RewindBody, RewindAnswer> Start { get; } = new("rewind.start", HttpMethods.Put, "/v2/rewind", Access.Manage)
    {
        Tag = Tag,
        Summary = "Keep states for rewinding",
        Description = "The gateway takes a state at a fixed interval of frames. It drops the oldest ones beyond the maximum number or 64 MiB, and all when the game changes. Each state takes "
            + "the emulator about two milliseconds. States kept before are dropped.",
        UsesEmulator = false,
        Request = Request.OptionalBody<RewindBody>(RecordingApiJson.Default, """{"every":60,"points":60}""", new RewindBody()),
        Run = static async (context, body) =>
        {
            var (every, points) = (body.Every ?? Default, body.Points ?? Default);
            return every is >= 10 and <= Limits.Frames && points is >= 1 and <= 1_000
                ? RewindAnswer.Of(await context.Single<Rewinds>().StartAsync(context.Emulator, every, points))
                : Refusal.BadRequest($"every is 10 to {Limits.Frames} frames, points 1 to 1000.");
        },
        Response = RecordingApiJson.Default,
        ResponseExample = Example,
    };

    public static HandlerOperation<NoParameters, RewindAnswer> Get { get; } = new("rewind.get", HttpMethods.Get, "/v2/rewind", Access.Read)
    {
        Tag = Tag,
        Summary = "The states kept for rewinding",
        UsesEmulator = false,
        Request = Request.None,
        Run = static (context, _) => ValueTask.FromResult<OperationResult<RewindAnswer>>(
            Find(context.Single<Rewinds>(), context.Emulator, out var ring) is { } refusal ? refusal : RewindAnswer.Of(ring)),
        Response = RecordingApiJson.Default,
        ResponseExample = Example,
        OtherResponses = NotOn,
    };

    public static HandlerOperation<NoParameters, RewindAnswer> Stop { get; } = new("rewind.stop", HttpMethods.Delete, "/v2/rewind", Access.Manage)
    {
        Tag = Tag,
        Summary = "Stop keeping states for rewinding",
        UsesEmulator = false,
        Request = Request.None,
        Run = static async (context, _) =>
        {
            var rewinds = context.Single<Rewinds>();
            if (Find(rewinds, context.Emulator, out var ring) is { } refusal)
            {
                return refusal;
            }

            await rewinds.StopAsync(ring.Emulator);
            return RewindAnswer.Of(ring);
        },
        Response = RecordingApiJson.Default,
        ResponseExample = Example,
        OtherResponses = NotOn,
    };

    public static EndpointOperation Screen { get; } = new("rewind.screen", HttpMethods.Get, "/v2/rewind/{frame}/screen", Access.Read, ShowAsync)
    {
        Tag = Tag,
        Summary = "The picture of a state",
        UsesEmulator = false,
        Contents = [Content.Bytes("image/png")],
        OtherResponses = [.. NotFound, (501, "This emulator has no picture.")],
    };

    public static HandlerOperation<RewindPointName, DoneAnswer> Load { get; } = new("rewind.load", HttpMethods.Post, "/v2/rewind/{frame}", Access.Write)
    {
        Tag = Tag,
        Summary = "Rewind to a state",
        Description = "The script's frame count does not decrease, so later states stay in the list.",
        Inputs = [Input.Holder],
        Request = Request.Route(RecordingApiJson.Default, static (HttpContext http, out RewindPointName request) =>
        {
            request = new RewindPointName(FrameIn(http));
            return null;
        }),
        Run = static async (context, name) => Find(context.Single<Rewinds>(), context.Emulator, name.Frame, out var point) is { } refusal
            ? refusal
            : await context.SendAsync(new LoadState(new ReadOnlySequence<byte>(point.State), null), static reply => new DoneAnswer(reply.Frame, reply.Epoch)),
        Response = RecordingApiJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2"}""",
        OtherResponses = [.. NotFound, (423, "Another holder has the lockstep lease.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Start, Get, Stop, Screen, Load];

    private static long FrameIn(HttpContext http) => long.TryParse(http.Request.RouteValues["frame"] as string, NumberStyles.None, CultureInfo.InvariantCulture, out var frame) ? frame : -1;

    private static Refusal? Find(Rewinds rewinds, EmulatorClient emulator, out RewindRing ring)
    {
        ring = rewinds.Of(emulator)!;
        return ring is not null ? null : Refusal.NotFound("rewind", "No states are kept of this emulator; PUT /v2/rewind begins.");
    }

    private static Refusal? Find(Rewinds rewinds, EmulatorClient emulator, long frame, out RewindPoint point)
    {
        point = null!;
        if (Find(rewinds, emulator, out var ring) is { } refusal)
        {
            return refusal;
        }

        point = ring.Points.LastOrDefault(point => point.Frame == frame)!;
        return point is not null ? null : Refusal.NotFound("state", $"The ring has no state of frame {frame}; GET /v2/rewind lists them.");
    }

    private static Task ShowAsync(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
    {
        if (Find(http.Single<Rewinds>(), emulator, FrameIn(http), out var point) is { } refusal)
        {
            await Problems.WriteAsync(http, emulator.Id, refusal);
            return;
        }

        using var picture = StreamPool.Rent("rewind picture");
        if (!PngFile.TryWriteWithoutState(point.State.Span, picture))
        {
            await Problems.WriteAsync(http, null, new FailureReport(Failure.Rejected, "This emulator has no picture.") { Code = "unsupported" });
            return;
        }

        Headers.SetFrame(http.Response, point.Frame, point.Epoch);
        await RawAnswer.WriteAsync(http, picture, "image/png");
    });
}
