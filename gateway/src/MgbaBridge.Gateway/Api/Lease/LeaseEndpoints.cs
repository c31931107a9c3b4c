using System.Security.Cryptography;
using MgbaBridge.Gateway.Api.Batch;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Lease;

/// <summary>Lockstep: the game runs exactly the frames that one caller asks for.</summary>
public static class LeaseEndpoints
{
    private const string Tag = "Playing";

    /// <summary>Adds <c>/v2/lease</c> and <c>/v2/lease/step</c>.</summary>
    public static void MapLease(this IEndpointRouteBuilder routes)
    {
        routes.MapPost("/v2/lease", Take).Describe(new OperationDescription(Tag, "Take the wheel: a lockstep lease")
        {
            Description = "From now on the game stands still between steps, and only this holder's effects run; others get 423. "
                + "Without a holder in the request one is made up: say the one in the answer in `Mgba-Holder` of every step. The lease ends when its holder says nothing for `limitMs`. "
                + "With the `token` of its answer the same lease goes on, also through another gateway, and `frame` + `running` tells whether a step whose answer was lost has run.",
            Inputs = [Input.Holder],
            Body = Content.Json<LeaseBody>("""{"limitMs":2000}"""),
            BodyIsOptional = true,
            Answers = [Content.Json<LeaseAnswer>("""{"frame":4711,"epoch":"9f3a01c2","holder":"lease-5f0c2a91","token":"0c5e7d1ab2f34e6f8a9b0c1d2e3f4a5b","limitMs":2000,"running":0}""")],
            OtherResponses = [(423, "Somebody else has it; `detail` says who."), (409, "The lease of this token has ended, and the game ran on."), (501, "This window may have video sync on, which does not survive a lease.")],
        });
        routes.MapDelete("/v2/lease", Release).Describe(new OperationDescription(Tag, "Let the game run on")
        {
            Inputs = [Input.Holder],
            Answers = [Content.Json<ReleaseAnswer>("""{"frame":4711,"epoch":"9f3a01c2","released":true}""")],
            OtherResponses = [(423, "It is somebody else's.")],
        });
        routes.MapPost("/v2/lease/step", Step).Describe(new OperationDescription(Tag, "Run exactly so many frames")
        {
            Description = "With `keys` held, and then `items` on the frame that was reached, as in a batch; the answer has the results. "
                + "With `from`, the frame of the answer before, nothing runs twice: a step that is sent again and has run already is 412, and `Mgba-Frame` says where the game stands.",
            Inputs = [Input.Holder],
            Body = Content.Json<StepBody>("""{"frames":1,"from":4711,"keys":["Right"],"items":[{"read":{"location":"0x02000008","type":"u32"}}]}"""),
            Answers = [Content.Json<BatchAnswer>("""{"frame":4712,"epoch":"9f3a01c2","done":1,"of":1,"results":[{"ok":true,"value":4709}]}""")],
            OtherResponses = [(423, "Somebody else has the lease."), (409, "There is no lease: it ended, or none was taken. Take it first."), (412, "The game stands in another frame than `from`, or a guard among the items does not match: nothing ran.")],
        });
    }

    private static async Task Take(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.LeaseBody, new LeaseBody()) is not { } body)
        {
            return;
        }

        if (http.Request.Headers[Callers.HolderHeader].Count == 0)
        {
            http.Request.Headers[Callers.HolderHeader] = $"lease-{RandomNumberGenerator.GetHexString(8, lowercase: true)}";
        }

        await http.SendAsCallerAsync(new TakeLease(body.LimitMs, body.Token), static (http, _, reply) =>
            JsonBody.WriteAsync(http, LeaseAnswer.Of(reply, http.Request.Headers[Callers.HolderHeader].ToString()), BridgeJson.Default.LeaseAnswer));
    }

    private static Task Release(HttpContext http) => http.SendAsCallerAsync(new ReleaseLease(), static (http, _, reply) =>
        JsonBody.WriteAsync(http, new ReleaseAnswer(reply.Frame, reply.Epoch, ReleaseLease.Parse(reply)), BridgeJson.Default.ReleaseAnswer));

    private static async Task Step(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.StepBody) is not { } body)
        {
            return;
        }

        BatchItems? items = null;
        if (body.Items is { Count: > 0 } && BatchItem.TryBuild(body.Items, out items) is { } wrong)
        {
            await Problems.BadRequestAsync(http, wrong);
            return;
        }

        await http.SendAsCallerAsync(
            new StepLease(body.Frames, body.Keys, items, body.From),
            static (http, command, reply) => BatchEndpoints.WriteAsync(http, reply, command.Items, command.Descriptor),
            StepBody.MaxWait(body.Frames));
    }
}
