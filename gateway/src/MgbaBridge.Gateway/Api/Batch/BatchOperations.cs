using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Batch;

/// <summary>Several operations in one frame.</summary>
internal static class BatchOperations
{
    /// <summary>The entry that only batches have: a condition that must hold before anything runs.</summary>
    public static BatchEntry Guard { get; } = BatchEntry.Of<GuardItem>(
        "guard", "What must hold; guards come first.", BatchJson.Default, static (guard, items) => guard.AddTo(items));

    /// <summary>The operation whose items are these entries.</summary>
    public static CommandOperation<BatchBody, RunBatch, BatchAnswer> Run(BatchEntries entries) => new("batch.run", HttpMethods.Post, "/v2/batch", Access.Read)
    {
        Tag = "Playing",
        Summary = "Run several commands in one frame",
        Description = "The items run in order, between the same two frames of the game. If a guard is false, nothing runs and the response is 412. "
            + "The first item that fails ends the batch: compare `done` with `of`. A batch requires the largest access of its items, and `play` for a later frame.",
        IsEffect = true,
        HasHolder = true,
        Aliases = ["batch"],
        Inputs = [Input.Holder],
        Request = Request.Body<BatchBody>(
            new BatchJson(entries.OptionsFrom(BatchJson.Default.Options)),
            """{"items":[{"guard":{"location":"0x02000000","type":"u8","value":77}},{"read":{"location":"0x02000008","type":"u32"}},{"write":{"location":"0x02001000","type":"u16","value":5}},{"tap":{"keys":["A"]}}]}"""),
        AccessOf = static body => BatchItem.AccessOf(body.Items, body.IsForLater ? Access.Play : Access.Read),
        Command = static (BatchBody body, out RunBatch command) =>
        {
            var wrong = body.TryBuild(out var items);
            command = new RunBatch(items, body.At, body.After);
            return wrong;
        },
        Read = static (command, reply) => BatchAnswer.Make(reply, command.Items, command.Descriptor),
        Write = static (body, command, reply, isBinary) => BatchWriter.Write(body, reply, command.Items, command.Descriptor, isBinary),
        Response = BatchJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","done":4,"of":4,"results":[{"ok":true},{"ok":true,"value":4708},{"ok":true},{"ok":true,"down":4711,"up":4715}]}""",
        Timeout = static body => body.IsForLater ? BatchBody.MaxWait : null,
        OtherResponses = [(412, "A guard is false; `detail` says which, and the value. Nothing ran."), (423, "Another holder has the lockstep lease.")],
    };
}

/// <summary>The JSON of batches. Requests need options made by <see cref="BatchEntries"/>.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(NumberTypeConverter), typeof(ComparisonConverter)])]
[JsonSerializable(typeof(BatchBody))]
[JsonSerializable(typeof(GuardItem))]
[JsonSerializable(typeof(BatchAnswer))]
internal sealed partial class BatchJson : JsonSerializerContext;
