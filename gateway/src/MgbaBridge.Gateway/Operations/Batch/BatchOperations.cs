using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Batch;

/// <summary>Several operations in one frame.</summary>
internal static class BatchOperations
{
    private static readonly Resource Resource = new("Playing", BatchJson.Default);

    /// <summary>The entry that only batches have: a condition that must hold before anything runs.</summary>
    public static BatchEntry Guard { get; } = BatchEntry.Of(
        Parameter.Object(
            "guard",
            Parameters.Of(
                Parameter.Location("location", "Where."),
                Parameter.Choice("type", "What the number is, little-endian.", NumberType.U8, NumberType.U16, NumberType.U32).Optional(),
                Parameter.Choice("is", "How it compares.", Comparison.Eq, Comparison.Ne, Comparison.Lt, Comparison.Le, Comparison.Gt, Comparison.Ge).Or(Comparison.Eq),
                Parameter.Integer("value", int.MinValue, (long)uint.MaxValue, "With what; negative ones in two's complement.").Optional(),
                Parameter.Bytes("bytes", "The bytes that must stand there, instead of type and value."),
                GuardOf),
            "What must hold; guards come first."),
        static (guard, items) =>
        {
            guard(items);
            return null;
        });

    /// <summary>The operation whose items are these entries.</summary>
    public static HandlerOperation<RunBatchRequest, BatchAnswer> Run(BatchEntries entries) => new(Resource, "batch.run", HttpMethods.Post, "/v2/batch", Access.Read)
    {
        Summary = "Run several commands in one frame",
        Description = "The items run in order, between the same two frames of the game. If a guard is false, nothing runs and the response is 412. "
            + "An item with the name of an operation has the operation's parameters, those of its path included, and its response as `result`. "
            + "The first item that fails ends the batch: compare `done` with `of`. A batch requires the largest access of its items, and `play` for a later frame. "
            + $"Operations that read and that the gateway runs, not the script, come last, up to {BatchRequest.MaxReads}: they run one after the other when the script has run its items, "
            + "each in a frame of its own, unless the game is paused or in lockstep. Guards do not cover them.",
        IsEffect = true,
        Holds = entries.Holds,
        Request = Parameters.Of(
            entries.Items(1, Limits.Items, "What to do, in order, guards first."),
            Parameter.Integer("at", 0, long.MaxValue, "In this frame; at once unless given.").Optional(),
            Parameter.Integer("after", 1, (long)Limits.After, "The number of frames to wait, instead of `at`.").Optional(),
            static (items, at, after) => new RunBatchRequest(items, at, after)),
        RequestExample = """{"items":[{"guard":{"location":"0x02000000","type":"u8","value":77}},{"read":{"location":"0x02000008","type":"u32"}},{"write":{"location":"0x02001000","type":"u16","value":5}},{"tap":{"keys":["A"]}}]}""",
        AccessOf = static request => request.IsForLater && request.Batch.Access < Access.Play ? Access.Play : request.Batch.Access,
        Run = static (invocation, request) => request.Batch.Reads.Count > 0 ? RunAsync(invocation, request) : invocation.SendAsync(request.Command, BatchAnswer.OfBatch, request.Timeout),
        TakesFramesIf = static request => request.IsForLater,
        Write = BatchAnswer.Write,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","done":4,"of":4,"results":[{"ok":true},{"ok":true,"value":4708},{"ok":true},{"ok":true,"down":4711,"up":4715}]}""",
        Statuses = [(CommandFailureKind.GuardFailed, "a guard is false; `detail` says which, and the value. Nothing ran.")],
    };

    // what the script runs is one command; the items that the gateway runs follow it
    private static async ValueTask<Result<BatchAnswer>> RunAsync(Invocation invocation, RunBatchRequest request)
    {
        var command = request.Command;
        var result = await invocation.SendAsync(command, reply => BatchAnswer.OfBatch(command, reply).Copy(), request.Timeout);
        if (result.Failure is not null)
        {
            return result;
        }

        var results = result.Value.Results.ToList();
        var room = Limits.Tail; // as the script limits the results of its items
        foreach (var read in request.Batch.Reads.TakeWhile(_ => results is not [.., { Ok: false }]))
        {
            var (json, failure, _, _) = await read(invocation);
            room -= json?.Length ?? 0;
            results.Add(failure is not null ? ItemAnswer.Refused(invocation.Caller, failure)
                : room < 0 ? new ItemAnswer(false, Code: FailureKind.TooLarge.Name, Detail: $"The responses of the items that the gateway runs have over {Limits.Tail} bytes together. Request this one by itself.")
                : new ItemAnswer(true, Result: JsonElement.Parse(json)));
        }

        return result with { Value = result.Value.With(request.Batch.Count, results) };
    }

    private static Made<Action<BatchItems>> GuardOf(Location location, NumberType? type, Comparison comparison, long? value, ReadOnlySequence<byte>? bytes) => (type, value, bytes) switch
    {
        (null, null, { } expected) => new Made<Action<BatchItems>>(items => items.Add(new GuardBytes(location, expected.ToArray())), null),
        ({ } width, { } number, null) => new Made<Action<BatchItems>>(items => items.Add(new GuardNumber(width.Width(), location, comparison, number)), null),
        _ => new WrongParameters("A guard has a location and either a type (u8, u16, u32), is (eq, ne, lt, le, gt, ge) and a value, or bytes in base64."),
    };
}

/// <summary>A batch to run.</summary>
/// <param name="Batch">Its items.</param>
/// <param name="At">The frame to run in; null for now.</param>
/// <param name="After">The number of frames to wait; null for now.</param>
public sealed record RunBatchRequest(BatchRequest Batch, long? At, long? After)
{
    // a batch for later waits for its frame, however far away; a caller that leaves takes it back
    private static readonly TimeSpan MaxWait = TimeSpan.FromMinutes(20);

    /// <summary>Whether it is for a later frame.</summary>
    internal bool IsForLater => At is not null || After is not null;

    /// <summary>What the script runs.</summary>
    internal RunBatch Command => new(Batch.Items, At, After);

    /// <summary>How long its reply may take; null for the usual time.</summary>
    internal TimeSpan? Timeout => IsForLater ? MaxWait : null;
}

/// <summary>The JSON of batches.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(BatchAnswer))]
internal sealed partial class BatchJson : JsonSerializerContext;
