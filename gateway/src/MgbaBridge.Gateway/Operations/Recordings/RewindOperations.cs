using System.Buffers;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Recordings;

namespace MgbaBridge.Gateway.Operations.Recordings;

/// <summary>The rewind ring: states of past frames that can be loaded again.</summary>
internal static class RewindOperations
{
    private static readonly Resource Resource = new("Recording", RecordingApiJson.Default);
    private const int Default = 60;
    private const string Example = """{"every":60,"most":60,"bytes":23511,"points":[{"frame":4711,"epoch":"9f3a01c2","bytes":23511}]}""";

    private static readonly Parameter<long> Frame = Parameter.Integer("frame", 0, long.MaxValue, "The frame of a state in the ring.") with { Example = "4711" };

    internal static readonly StatusNote[] NotOn = [(FailureKind.NoSuchRewind, "no states are kept; `rewind.start` begins.")];
    private static readonly StatusNote[] NotFound = [(FailureKind.NoSuchRewind, "the ring has no such state any more.")];

    public static HandlerOperation<(long Every, int Points), RewindAnswer> Start { get; } = new(Resource, "rewind.start", HttpMethods.Put, "/v2/rewind", Access.Manage)
    {
        Summary = "Keep states for rewinding",
        Description = $"The gateway takes a state at a fixed interval of frames. It drops the oldest ones beyond the maximum number or {RewindRing.MaxBytes >> 20} MiB, and all when the game changes. Each state takes "
            + "the emulator about two milliseconds. States kept before are dropped. `rewind.video` makes a video of the last seconds.",
        UsesEmulator = false,
        Request = Parameters.Of(
            Parameter.Integer("every", 10, (long)Limits.Frames, "How many frames lie between two states.").Or(Default),
            Parameter.Integer("points", 1, 1_000, $"How many states are kept. Together they have at most {RewindRing.MaxBytes >> 20} MiB.").Or(Default),
            static (every, points) => (every, points)),
        RequestExample = """{"every":60,"points":60}""",
        Run = static async (invocation, request) => RewindAnswer.Of(await invocation.Get<Rewinds>().StartAsync(invocation.Emulator, request.Every, request.Points)),
        ResponseExample = Example,
    };

    public static HandlerOperation<NoParameters, RewindAnswer> Get { get; } = new(Resource, "rewind.get", HttpMethods.Get, "/v2/rewind", Access.Read)
    {
        Summary = "The states kept for rewinding",
        UsesEmulator = false,
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<RewindAnswer>>(
            Find(invocation.Get<Rewinds>(), invocation.Emulator, out var ring) is { } failure ? failure : RewindAnswer.Of(ring)),
        ResponseExample = Example,
        Statuses = NotOn,
    };

    public static HandlerOperation<NoParameters, RewindAnswer> Stop { get; } = new(Resource, "rewind.stop", HttpMethods.Delete, "/v2/rewind", Access.Manage)
    {
        Summary = "Stop keeping states for rewinding",
        UsesEmulator = false,
        Request = Parameters.None,
        Run = static async (invocation, _) =>
        {
            var rewinds = invocation.Get<Rewinds>();
            if (Find(rewinds, invocation.Emulator, out var ring) is { } failure)
            {
                return failure;
            }

            await rewinds.StopAsync(ring.Emulator);
            return RewindAnswer.Of(ring);
        },
        ResponseExample = Example,
        Statuses = NotOn,
    };

    public static HandlerOperation<long, PictureAnswer> Screen { get; } = new(Resource, "rewind.screen", HttpMethods.Get, "/v2/rewind/{frame}/screen", Access.Read)
    {
        Summary = "The picture of a state",
        UsesEmulator = false,
        Request = Parameters.Of(Frame),
        Run = static (invocation, frame) => ValueTask.FromResult(PictureOf(invocation, frame)),
        Bytes = PictureAnswer.AsBytes,
        Statuses = [.. NotFound, (FailureKind.Unsupported, "this emulator has no picture.")],
    };

    public static HandlerOperation<long, DoneAnswer> Load { get; } = new(Resource, "rewind.load", HttpMethods.Post, "/v2/rewind/{frame}", Access.Write)
    {
        Summary = "Rewind to a state",
        Description = "Later states are dropped, since the game has another future from there. The script's frame count does not decrease.",
        Request = Parameters.Of(Frame),
        Run = static async (invocation, frame) => Find(invocation.Get<Rewinds>(), invocation.Emulator, out var ring) is { } failure
            ? failure
            : await ring.GoBackAsync<Result<DoneAnswer>>(
                () => Task.FromResult<(RewindPoint?, Result<DoneAnswer>)>(Find(invocation.Get<Rewinds>(), invocation.Emulator, frame, out var point) is { } missing ? (null, missing) : (point, default)),
                async point =>
                {
                    var done = await LoadAsync(invocation, point);
                    return (done.Failure is null ? done.Value.Frame : null, done);
                },
                invocation.Cancelled),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2"}""",
        Statuses = NotFound,
    };

    public static HandlerOperation<long, RewoundAnswer> Back { get; } = new(Resource, "rewind.back", HttpMethods.Post, "/v2/rewind", Access.Write)
    {
        Summary = "Go back by frames of play",
        Description = "Continues from the newest state that is at least so many frames of play old, or from the oldest one. Frames behind which the game went back before do not count, nor those since then within a second (60 frames), so that each call leads further back. Later states are dropped.",
        Request = Parameters.Of(Parameter.Integer("frames", 0, (long)Limits.Frames, "How many frames to go back.").Or(Default)),
        RequestExample = """{"frames":60}""",
        Run = static async (invocation, frames) => Find(invocation.Get<Rewinds>(), invocation.Emulator, out var ring) is { } failure
            ? failure
            : await ring.GoBackAsync<Result<RewoundAnswer>>(
                async () =>
                {
                    var now = await invocation.SendAsync(new Ping(), static reply => new DoneAnswer(reply.Frame, reply.Epoch));
                    return now.Failure is { } failed ? (null, failed)
                        : ring.Before(now.Value.Frame, now.Value.Epoch, frames) is { } point ? (point, default)
                        : (null, new Failure(FailureKind.NoSuchState, "No state of this game has been kept yet.", NextStep.Do("Wait until the interval of `rewind.start` has passed.")));
                },
                async point =>
                {
                    var isOldest = ring.Points[0] == point;
                    var done = await LoadAsync(invocation, point);
                    return done.Failure is { } failed ? (null, failed)
                        : (done.Value.Frame, Result.At(new RewoundAnswer(done.Value.Frame, done.Value.Epoch, point.Frame, isOldest), done.Value.Frame, done.Value.Epoch));
                },
                invocation.Cancelled),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","point":4650,"oldest":false}""",
        Statuses = NotOn,
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Start, Get, Stop, Screen, Load, Back];

    /// <summary>No states are kept.</summary>
    internal static Failure NoneKept => new(FailureKind.NoSuchRewind, "No states are kept of this emulator.", new NextStep(Start, "begins"));

    // after a restart the emulator may run another build, until the first state of it is kept
    private static async Task<Result<DoneAnswer>> LoadAsync(Invocation invocation, RewindPoint point) =>
        await (invocation with { Options = invocation.Options with { Epoch = point.Epoch } }).SendAsync(new LoadState(new ReadOnlySequence<byte>(point.State), null), static reply => new DoneAnswer(reply.Frame, reply.Epoch));

    private static Failure? Find(Rewinds rewinds, EmulatorClient emulator, out RewindRing ring)
    {
        ring = rewinds.Of(emulator)!;
        return ring is not null ? null : NoneKept;
    }

    private static Failure? Find(Rewinds rewinds, EmulatorClient emulator, long frame, out RewindPoint point)
    {
        point = null!;
        if (Find(rewinds, emulator, out var ring) is { } failure)
        {
            return failure;
        }

        point = ring.Points.LastOrDefault(point => point.Frame == frame)!;
        return point is not null ? null : new Failure(FailureKind.NoSuchState, $"The ring has no state of frame {frame}.", new NextStep(Get, "lists them"));
    }

    private static Result<PictureAnswer> PictureOf(Invocation invocation, long frame)
    {
        if (Find(invocation.Get<Rewinds>(), invocation.Emulator, frame, out var point) is { } failure)
        {
            return failure;
        }

        using var picture = StreamPool.Rent("rewind picture");
        return PngFile.TryWriteWithoutState(point.State.Span, picture)
            ? Result.At(new PictureAnswer(point.Frame, point.Epoch, picture.ToArray()), point.Frame, point.Epoch)
            : Failure.Of(new CommandFailure(CommandFailureKind.Rejected, "This emulator has no picture.") { Code = ErrorCode.Unsupported });
    }
}
