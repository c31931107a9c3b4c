using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.Memory;
using MgbaBridge.Gateway.Operations.Screen;

namespace MgbaBridge.Gateway.Operations.Vector;

/// <summary>One of the emulators of a vector.</summary>
/// <param name="Emulator">Its id.</param>
/// <param name="Keys">The keys that are down during the frames.</param>
/// <param name="Frames">How many frames it runs; null for those of the request.</param>
/// <param name="Reset">Whether it continues from the request's state.</param>
internal readonly record struct VectorRow(string Emulator, KeySet Keys, long? Frames, bool Reset);

/// <summary>A step of several emulators.</summary>
/// <param name="Rows">The emulators.</param>
/// <param name="Frames">How many frames each runs, unless its row says otherwise.</param>
/// <param name="Reads">The numbers that are read in the frame that each reaches.</param>
/// <param name="Pixels">The picture that is taken there, or null.</param>
/// <param name="State">The name of the state of rows that are reset, or null.</param>
/// <param name="Scenario">The name of the scenario that judges the step, or null.</param>
/// <param name="Deadline">How long a row may take; null for what so many frames may take.</param>
internal sealed record VectorRequest(IReadOnlyList<VectorRow> Rows, long Frames, IReadOnlyList<MemoryRange> Reads, ReadPixels? Pixels, string? State, string? Scenario, TimeSpan? Deadline);

/// <summary>Several emulators in one request, for programs that learn.</summary>
internal static class VectorOperations
{
    /// <summary>The most emulators of a request.</summary>
    internal const int MaxRows = 256;

    private const int MaxReads = 64;
    internal const int MinDeadline = 10;
    internal const int MaxDeadline = 600_000;

    private static readonly Resource Resource = new("Learning", VectorJson.Default) { IsPerEmulator = false, IsShared = false };

    /// <summary>The numbers that a step reads.</summary>
    internal static readonly Parameter<IReadOnlyList<MemoryRange>?> Reads =
        Parameter.List("reads", MemoryOperations.Number, 0, MaxReads, """[{"location":"0x02000008","type":"u32"}]""", "The numbers to read in the frame that was reached; none unless given.").Optional();

    /// <summary>The picture that a step takes.</summary>
    internal static readonly Parameter<ReadPixels?> Pixels = Parameter.Object("pixels", ScreenOperations.Reduced, "The picture of that frame, as of `screen.pixels`; none unless given.").Optional();

    private static readonly Parameters<VectorRow> Row = Parameters.Of(
        Parameter.Text("emulator", "The id of an emulator; each once."),
        Parameter.Keys("keys", "The keys that are down during the frames; none unless given.", mayBeEmpty: true).Or(default),
        Parameter.Integer("frames", 0, (long)Limits.StepFrames, "How many frames it runs, unlike the other rows.").Optional(),
        Parameter.Flag("reset", "Whether it first continues from `state`. This also takes the lease, where the caller has none."),
        static (emulator, keys, frames, reset) => new VectorRow(emulator, keys, frames, reset));

    public static HandlerOperation<VectorRequest, VectorAnswer> Step { get; } = new(Resource, "vector.step", HttpMethods.Post, "/v2/vector", Access.Write)
    {
        Summary = "Step several emulators at once",
        Description = "Each row is a step of one emulator under the caller's lease: the emulators run side by side, and one message has what all of them returned (docs/learning.md describes its bytes). "
            + "`reset` begins an episode: the row continues from `state` before its frames, and takes the lease for 10 s after each step where the caller has none. The emulator keeps the state, so that it is sent once. "
            + "A row that fails, or takes longer than `deadlineMs`, has the status and the reason of its failure, and does not delay the others.",
        Request = Parameters.Of(
            Parameter.List("rows", Row, 1, MaxRows, """[{"emulator":"1","keys":["A"]},{"emulator":"2","reset":true}]""", "The emulators."),
            Parameter.Integer("frames", 0, (long)Limits.StepFrames, "How many frames each row runs.").Or(1),
            Reads,
            Pixels,
            Parameter.Text("state", "The name of a kept state, in which rows with `reset` continue.").Optional(),
            Parameter.Text("scenario", "The name of a loaded scenario: the rows have rewards, ends and its variables, and hold only keys that its actions allow; none unless given.").Optional(),
            Parameter.Integer("deadlineMs", MinDeadline, MaxDeadline, $"How many milliseconds a row may take; {StepRequest.AtLeast.TotalMilliseconds} and {StepRequest.PerFrame.TotalMilliseconds} for each frame unless given.").Optional(),
            Make),
        RequestExample = """{"rows":[{"emulator":"1","keys":["A"]}],"frames":4,"reads":[{"location":"0x02000008","type":"u32"}]}""",
        Run = static (invocation, request) => new VectorStep(invocation, request).RunAsync(),
        TakesFrames = true,
        Holds = Held.Lease,
        Bytes = new(static answer => new ReadOnlySequence<byte>(answer.Bytes), BytesOf<VectorAnswer>.Binary),
        Statuses = [FailureKind.NoSuchState, FailureKind.NoSuchScenario],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Step];

    private static Made<VectorRequest> Make(IReadOnlyList<VectorRow> rows, long frames, IReadOnlyList<MemoryRange>? reads, ReadPixels? pixels, string? state, string? scenario, int? deadline)
    {
        var known = new HashSet<string>(rows.Count, StringComparer.Ordinal);
        foreach (var row in rows)
        {
            if (!known.Add(row.Emulator))
            {
                return new WrongParameters($"Emulator {Parameter.Quote(row.Emulator)} has two rows; an emulator can make one step at a time.");
            }

            if (row.Reset && state is null)
            {
                return new WrongParameters("A row has reset, and the request has no state. Keep a state (states.save), and name it in state.");
            }
        }

        return new VectorRequest(rows, frames, reads ?? [], pixels, state, scenario, deadline is { } milliseconds ? TimeSpan.FromMilliseconds(milliseconds) : null);
    }
}

/// <summary>The JSON of steps of several emulators.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(VectorAnswer))]
[JsonSerializable(typeof(IReadOnlyList<VectorFailure>))]
internal sealed partial class VectorJson : JsonSerializerContext;
