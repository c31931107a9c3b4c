using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.States;

namespace MgbaBridge.Gateway.Operations.Vector;

/// <summary>A socket on the emulator's machine, from which the steps of a lease come.</summary>
/// <param name="Socket">Its path.</param>
/// <param name="Reads">The numbers that are read in the frame that each step reaches.</param>
/// <param name="Pixels">The picture that is taken there, or null.</param>
/// <param name="State">The name of the state in which steps that reset continue, or null.</param>
/// <param name="Deadline">How long it may take until the emulator has connected.</param>
internal sealed record LocalSteps(string Socket, IReadOnlyList<MemoryRange> Reads, ReadPixels? Pixels, string? State, TimeSpan Deadline)
{
    internal BatchItems? Items()
    {
        if (Reads.Count == 0 && Pixels is null)
        {
            return null;
        }

        var items = new BatchItems();
        if (Reads.Count > 0)
        {
            items.Add(new GatherMemory(Reads), ItemResultKind.Bytes);
        }

        if (Pixels is { } pixels)
        {
            items.Add(pixels, ItemResultKind.Bytes);
        }

        return items;
    }
}

/// <summary>That the steps of a lease come from a local socket, too.</summary>
/// <param name="Frame">The frame in which the game stands.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Size">How many bytes a step reads.</param>
internal readonly record struct LocalStepsAnswer(long Frame, Epoch Epoch, long Size);

/// <summary>Steps that a program on the emulator's machine takes without the gateway.</summary>
internal static class LocalStepOperations
{
    private static readonly Resource Resource = new("Learning", LocalStepsJson.Default);

    public static HandlerOperation<LocalSteps, LocalStepsAnswer> Attach { get; } = new(Resource, "lease.attach", HttpMethods.Post, "/v2/lease/socket", Access.Write)
    {
        Summary = "Take the steps of the lease from a local socket",
        IsShared = true, // all of the machine can be named
        Description = "The emulator connects to a Unix socket (`SOCK_SEQPACKET`) on which the caller listens, and takes the steps of the caller's lease from there: several times faster than by the gateway, for programs that learn on the emulator's machine. "
            + "docs/protocol.md, section 7.6, describes the messages. Each step answers the numbers, then the picture. With `state` it takes the lease for 10 s after each step where the caller has none, and the emulator keeps the state. "
            + "The socket is closed when the lease ends.",
        Request = Parameters.Of(
            Parameter.Text("socket", "The path of the socket, which must be of the user that runs the emulator.") with { Example = "/tmp/learner/steps" },
            VectorOperations.Reads,
            VectorOperations.Pixels,
            Parameter.Text("state", "The name of a kept state, in which steps that reset continue.").Optional(),
            Parameter.Integer("deadlineMs", VectorOperations.MinDeadline, VectorOperations.MaxDeadline, "How many milliseconds it may take until the emulator has connected; with `state` an emulator that is started again is waited for.").Or((int)StepRequest.AtLeast.TotalMilliseconds),
            static (socket, reads, pixels, state, deadline) => new LocalSteps(socket, reads ?? [], pixels, state, TimeSpan.FromMilliseconds(deadline))),
        RequestExample = """{"socket":"/tmp/learner/steps","reads":[{"location":"0x02000008","type":"u32"}]}""",
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","size":4}""",
        Run = AttachAsync,
        Holds = Held.Lease,
        Statuses =
        [
            FailureKind.NoSuchState, (ErrorCode.NoLease, "there is no lease, and no `state` to take it for."),
            (FailureKind.Unsupported, "the emulator is a window, or not on Linux."),
        ],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Attach];

    private static async ValueTask<Result<LocalStepsAnswer>> AttachAsync(Invocation invocation, LocalSteps request)
    {
        StoredState? state = null;
        if (request.State is { } name && (state = invocation.Get<StateStore>().Find(name)) is null)
        {
            return StoreOperations.NotFound(name);
        }

        var time = invocation.Get<TimeProvider>();
        var began = time.GetTimestamp();
        var attach = new AttachLease(request.Socket, request.Items(), state?.Sha256);
        var (reply, failure) = await invocation.Emulator.SendAsync(attach, state, invocation, () => invocation.Options with { Timeout = EpisodeStart.Left(time, began, request.Deadline) });
        using (reply)
        {
            return failure ?? Result.At(new LocalStepsAnswer(reply.Frame, reply.Epoch, AttachLease.Parse(reply)), reply.Frame, reply.Epoch);
        }
    }
}

/// <summary>The JSON of steps by a local socket.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(LocalStepsAnswer))]
internal sealed partial class LocalStepsJson : JsonSerializerContext;
