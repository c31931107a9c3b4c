using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Batch;

/// <summary>Several things in one frame.</summary>
public static class BatchEndpoints
{
    /// <summary>Adds <c>/v2/batch</c>.</summary>
    public static void MapBatch(this IEndpointRouteBuilder routes) => routes.MapPost("/v2/batch", Run).Describe(new OperationDescription(
        "Playing", "Do several things in one frame")
    {
        Description = "In order, between the same two frames of the game. If a guard does not hold, nothing is done and the answer is 412. "
            + "The first item that cannot be done ends the batch: compare `done` with `of`.",
        Inputs = [Input.Holder],
        Body = Content.Json<BatchBody>("""{"items":[{"guard":{"location":"0x02000000","type":"u8","value":77}},{"read":{"location":"0x02000008","type":"u32"}},{"write":{"location":"0x02001000","type":"u16","value":5}},{"tap":{"keys":["A"]}}]}"""),
        Answers = [Content.Json<BatchAnswer>("""{"frame":4711,"epoch":"9f3a01c2","done":4,"of":4,"results":[{"ok":true},{"ok":true,"value":4708},{"ok":true},{"ok":true,"down":4711,"up":4715}]}""")],
        OtherResponses = [(412, "A guard does not hold; `detail` says which and what was found. Nothing was done."), (423, "Somebody else has the lockstep lease.")],
    });

    /// <summary>Answers with what became of the items.</summary>
    internal static ValueTask WriteAsync(HttpContext http, Reply reply, BatchItems? items, CommandDescriptor row)
    {
        var results = ItemAnswer.All(reply, items, row);
        return JsonBody.WriteAsync(
            http,
            new BatchAnswer(reply.Frame, reply.Epoch, results.Count(result => result.Ok), items?.ResultKinds.Count ?? 0, results),
            BridgeJson.Default.BatchAnswer);
    }

    private static async Task Run(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.BatchBody) is not { } body)
        {
            return;
        }

        if (body.TryBuild(out var items) is { } wrong)
        {
            await Problems.BadRequestAsync(http, wrong);
        }
        else
        {
            await http.SendAsCallerAsync(
                new RunBatch(items, body.At, body.After),
                static (http, command, reply) => WriteAsync(http, reply, command.Items, command.Descriptor),
                body.IsForLater ? BatchBody.MaxWait : null);
        }
    }
}
