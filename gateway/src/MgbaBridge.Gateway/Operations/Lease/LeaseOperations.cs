using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Batch;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Lease;

/// <summary>Lockstep: the game runs only in steps that the holder of the lease requests.</summary>
internal static class LeaseOperations
{
    private static readonly Resource Resource = new("Playing", LeaseJson.Default);

    public static HandlerOperation<(long? LimitMs, string? Token), LeaseAnswer> Take { get; } = new(Resource, "lease.take", HttpMethods.Post, "/v2/lease", Access.Control)
    {
        Summary = "Take the lockstep lease",
        Description = "The game stops between steps, and only this holder's effects run; others get 423. "
            + "A request without a holder gets a generated one in the response: send it in `Mgba-Holder` with every step. The lease ends when its holder sends nothing for `limitMs`. "
            + "Taking it again with the `token` of the response resumes the same lease, also through another gateway; `frame` and `running` show whether a step whose response was lost has run.",
        Request = Parameters.Of(
            Parameter.Integer("limitMs", Limits.MinLeaseLimit, (long)Limits.LeaseLimit, "How many milliseconds the holder may say nothing before the lease ends.").Optional($"{TakeLease.DefaultLimitMilliseconds}"),
            Parameter.Text("token", "The token of a lease to resume. 409 when that lease has ended.").Optional(),
            static (limitMs, token) => (limitMs, token)),
        RequestExample = """{"limitMs":2000}""",
        Run = TakeAsync,
        Holds = Held.Lease,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","holder":"lease-5f0c2a91","token":"0c5e7d1ab2f34e6f8a9b0c1d2e3f4a5b","limitMs":2000,"running":0}""",
        Statuses = [(ErrorCode.NoLease, "the lease of this token has ended, and the game ran on."), (ErrorCode.Unsupported, "this window may have video sync on, which does not survive a lease.")],
    };

    public static HandlerOperation<NoParameters, ReleaseAnswer> Release { get; } = new(Resource, "lease.release", HttpMethods.Delete, "/v2/lease", Access.Control)
    {
        Summary = "Release the lease; the game continues",
        Description = "A caller with the role owner ends the lease of any holder by a request that names no holder (without `Mgba-Holder`).",
        Request = Parameters.None,
        Run = static (invocation, _) => invocation.SendAsync(new ReleaseLease(IsOfAnyHolder(invocation)), static reply => new ReleaseAnswer(reply.Frame, reply.Epoch, ReleaseLease.Parse(reply))),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","released":true}""",
    };

    /// <summary>The operation whose items are these entries.</summary>
    public static HandlerOperation<StepRequest, BatchAnswer> Step(BatchEntries entries) => new(Resource, "lease.step", HttpMethods.Post, "/v2/lease/step", Access.Control)
    {
        Summary = "Run an exact number of frames",
        Description = "Runs the frames with `keys` held, then `items` at the frame that was reached, as in a batch; the response has the results. "
            + "With `from`, the frame of the previous response, nothing runs twice: a step that has already run gets 412, and `Mgba-Frame` is the current frame.",
        Request = Parameters.Of(
            Parameter.Integer("frames", 0, (long)Limits.StepFrames, "The exact number of frames; 0 only runs the items."),
            Parameter.Keys("keys", "The keys that are down from now on; those of the step before unless given.", mayBeEmpty: true).Optional(),
            Parameter.Integer("from", 0, long.MaxValue, "The expected current frame; if it differs, nothing runs (412). A step whose response was lost can so be sent again and runs once.").Optional(),
            entries.Commands(Limits.Items, "What to do on the frame that was reached, as in a batch.").Optional(),
            static (frames, keys, from, items) => new StepRequest(frames, keys, from, items)),
        RequestExample = """{"frames":1,"from":4711,"keys":["Right"],"items":[{"read":{"location":"0x02000008","type":"u32"}}]}""",
        AccessOf = static request => request.Batch is { Access: > Access.Control } batch ? batch.Access : Access.Control,
        Run = StepAsync,
        Write = BatchAnswer.Write,
        Response = BatchJson.Default,
        ResponseExample = """{"frame":4712,"epoch":"9f3a01c2","done":1,"of":1,"results":[{"ok":true,"value":4709}]}""",
        Holds = Held.Keys | entries.Holds,
        Statuses = [(ErrorCode.NoLease, "there is no lease: it ended, or none was taken. Take it first."), (CommandFailureKind.GuardFailed, "the current frame is not `from`, or a guard among the items does not match: nothing ran.")],
    };

    /// <summary>A step without items, for code that steps by itself.</summary>
    internal static HandlerOperation<StepRequest, BatchAnswer> StepAlone { get; } = Step(new BatchEntries(BatchOperations.Guard, []));

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All(BatchEntries entries) => [Take, Release, Step(entries)];

    /// <summary>Who has the lease now; null for nobody.</summary>
    internal static ValueTask<Result<string?>> HolderAsync(Invocation invocation) => invocation.SendAsync(new ReadScriptStatus(), ReadScriptStatus.ParseLease);

    // programs name their holder: one that releases its lease too late does not end the next one
    private static bool IsOfAnyHolder(Invocation invocation) => ReferenceEquals(invocation.Options.Holder, Holder.Http) && invocation.Caller.Role >= Role.Owner;

    private static async ValueTask<Result<BatchAnswer>> StepAsync(Invocation invocation, StepRequest request)
    {
        if (invocation.Session?.StepTurn is not { } turn)
        {
            return await invocation.SendAsync(request.Command, BatchAnswer.OfStep, StepRequest.MaxWait(request.Frames));
        }

        await turn.WaitAsync(invocation.Cancelled);
        try
        {
            return await invocation.SendAsync(request.Command, BatchAnswer.OfStep, StepRequest.MaxWait(request.Frames));
        }
        finally
        {
            turn.Release();
        }
    }

    private static async ValueTask<Result<LeaseAnswer>> TakeAsync(Invocation invocation, (long? LimitMs, string? Token) request)
    {
        // an HTTP caller that names no holder would share its lease with all others that name none
        var holder = invocation.Options.Holder;
        if (ReferenceEquals(holder, Holder.Http))
        {
            Holder.TryCreate($"lease-{RandomNumberGenerator.GetHexString(8, lowercase: true)}", out holder);
        }

        // a client that disconnects now may have the lease: its session waits for the reply, then releases the lease
        var cancelled = invocation.Session is null ? invocation.Cancelled : CancellationToken.None;
        using var reply = await invocation.Emulator.SendAsync(new TakeLease(request.LimitMs, request.Token), invocation.Options with { Holder = holder }, cancelled);
        return Result.Of(reply, reply => LeaseAnswer.Of(reply, holder!.Name));
    }
}

/// <summary>The JSON of leases.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(LeaseAnswer))]
[JsonSerializable(typeof(ReleaseAnswer))]
internal sealed partial class LeaseJson : JsonSerializerContext;
