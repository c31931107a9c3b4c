using System.Security.Cryptography;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Batch;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Lease;

/// <summary>Lockstep: the game runs only in steps that the holder of the lease requests.</summary>
internal static class LeaseOperations
{
    private const string Tag = "Playing";

    public static HandlerOperation<LeaseBody, LeaseAnswer> Take { get; } = new("lease.take", HttpMethods.Post, "/v2/lease", Access.Play)
    {
        Tag = Tag,
        Summary = "Take the lockstep lease",
        Description = "The game stops between steps, and only this holder's effects run; others get 423. "
            + "A request without a holder gets a generated one in the response: send it in `Mgba-Holder` with every step. The lease ends when its holder sends nothing for `limitMs`. "
            + "Taking it again with the `token` of the response resumes the same lease, also through another gateway; `frame` and `running` show whether a step whose response was lost has run.",
        Aliases = ["lease"],
        Inputs = [Input.Holder],
        Request = Request.OptionalBody<LeaseBody>(LeaseJson.Default, """{"limitMs":2000}""", new LeaseBody()),
        Run = TakeAsync,
        Response = LeaseJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","holder":"lease-5f0c2a91","token":"0c5e7d1ab2f34e6f8a9b0c1d2e3f4a5b","limitMs":2000,"running":0}""",
        OtherResponses = [(423, "Another holder has the lease; `detail` names it."), (409, "The lease of this token has ended, and the game ran on."), (501, "This window may have video sync on, which does not survive a lease.")],
    };

    public static CommandOperation<NoParameters, ReleaseLease, ReleaseAnswer> Release { get; } = new("lease.release", HttpMethods.Delete, "/v2/lease", Access.Play)
    {
        Tag = Tag,
        Summary = "Release the lease; the game continues",
        Inputs = [Input.Holder],
        Request = Request.None,
        Command = static (NoParameters _, out ReleaseLease command) =>
        {
            command = default;
            return null;
        },
        Read = static (_, reply) => new ReleaseAnswer(reply.Frame, reply.Epoch, ReleaseLease.Parse(reply)),
        Response = LeaseJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","released":true}""",
        OtherResponses = [(423, "The lease belongs to another holder.")],
    };

    /// <summary>The operation whose items are these entries.</summary>
    public static CommandOperation<StepBody, StepLease, BatchAnswer> Step(BatchEntries entries) => new("lease.step", HttpMethods.Post, "/v2/lease/step", Access.Play)
    {
        Tag = Tag,
        Summary = "Run an exact number of frames",
        Description = "Runs the frames with `keys` held, then `items` at the frame that was reached, as in a batch; the response has the results. "
            + "With `from`, the frame of the previous response, nothing runs twice: a step that has already run gets 412, and `Mgba-Frame` is the current frame.",
        Inputs = [Input.Holder],
        Request = Request.Body<StepBody>(
            new LeaseJson(entries.OptionsFrom(LeaseJson.Default.Options)),
            """{"frames":1,"from":4711,"keys":["Right"],"items":[{"read":{"location":"0x02000008","type":"u32"}}]}"""),
        AccessOf = static body => BatchItem.AccessOf(body.Items, Access.Play),
        Command = static (StepBody body, out StepLease command) =>
        {
            BatchItems? items = null;
            var wrong = body.Items is { Count: > 0 } ? BatchItem.TryBuild(body.Items, out items) : null;
            command = new StepLease(body.Frames, body.Keys, items, body.From);
            return wrong;
        },
        Read = static (command, reply) => BatchAnswer.Make(reply, command.Items, command.Descriptor),
        Write = static (body, command, reply, isBinary) => BatchWriter.Write(body, reply, command.Items, command.Descriptor, isBinary),
        Response = BatchJson.Default,
        ResponseExample = """{"frame":4712,"epoch":"9f3a01c2","done":1,"of":1,"results":[{"ok":true,"value":4709}]}""",
        Timeout = static body => StepBody.MaxWait(body.Frames),
        OtherResponses = [(423, "Another holder has the lease."), (409, "There is no lease: it ended, or none was taken. Take it first."), (412, "The current frame is not `from`, or a guard among the items does not match: nothing ran.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All(BatchEntries entries) => [Take, Release, Step(entries)];

    private static async ValueTask<OperationResult<LeaseAnswer>> TakeAsync(OperationContext context, LeaseBody body)
    {
        // an HTTP caller that names no holder would share its lease with all others that name none
        var holder = context.Options.Holder;
        if (ReferenceEquals(holder, Holder.Http))
        {
            Holder.TryCreate($"lease-{RandomNumberGenerator.GetHexString(8, lowercase: true)}", out holder);
        }

        // a client that disconnects now may have the lease: its session waits for the reply, then releases the lease
        context.Session?.RecordLease();
        var cancelled = context.Session is null ? context.Cancelled : CancellationToken.None;
        using var reply = await context.Emulator.SendAsync(new TakeLease(body.LimitMs, body.Token), context.Options with { Holder = holder }, cancelled);
        return OperationResult.Of(reply, reply => LeaseAnswer.Of(reply, holder!.Name));
    }
}

/// <summary>The JSON of leases. Steps need options made by <see cref="BatchEntries"/>.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(LeaseBody))]
[JsonSerializable(typeof(LeaseAnswer))]
[JsonSerializable(typeof(ReleaseAnswer))]
[JsonSerializable(typeof(StepBody))]
internal sealed partial class LeaseJson : JsonSerializerContext;
