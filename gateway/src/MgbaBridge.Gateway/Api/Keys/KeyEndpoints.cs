using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Keys;

/// <summary>The game's keys: levels that a holder keeps, and presses that end by themselves.</summary>
public static class KeyEndpoints
{
    private const string Tag = "Keys";
    private const string PressExample = """{"frame":4711,"epoch":"9f3a01c2","down":4711,"up":4715}""";
    private const string DoneExample = """{"frame":4711,"epoch":"9f3a01c2"}""";

    /// <summary>Adds <c>/v2/keys</c> and what is below it.</summary>
    public static void MapKeys(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/v2/keys", Read).Describe(new OperationDescription(Tag, "Which keys are down, and who holds them")
        {
            Answers = [Content.Json<KeysAnswer>("""{"frame":4711,"epoch":"9f3a01c2","mask":65,"keys":["A","Up"],"holders":[{"holder":"http","keys":["A","Up"]}]}""")],
        });
        routes.MapPut("/v2/keys", http => Change(http, KeyChange.Set)).Describe(Level(
            "Hold exactly these keys", "They stay down until this holder lets go. What other holders keep down stays down. An empty list lets go of all."));
        routes.MapPost("/v2/keys/add", http => Change(http, KeyChange.Add)).Describe(Level("Hold these keys as well", null));
        routes.MapPost("/v2/keys/clear", http => Change(http, KeyChange.Clear)).Describe(Level(
            "Let go of these keys", "A key that was pressed in this very frame stays down for it, so that the game sees it."));
        routes.MapDelete("/v2/keys", Release).Describe(new OperationDescription(Tag, "Let go of everything of this holder, queued taps too")
        {
            Inputs = [Input.Holder],
            Answers = [Content.Json<DoneAnswer>(DoneExample)],
        });
        routes.MapPost("/v2/keys/tap", Tap).Describe(new OperationDescription(Tag, "Press keys together for some frames")
        {
            Description = "Taps of a key queue behind each other, with a gap, so that the game sees every one. The answer says from which frame to which; "
                + "it comes at once, or with `wait` when the keys are up again.",
            Inputs = [Input.Holder],
            Body = Content.Json<TapBody>("""{"keys":["A"],"frames":4}"""),
            Answers = [Content.Json<PressAnswer>(PressExample)],
        });
        routes.MapPost("/v2/keys/sequence", Sequence).Describe(new OperationDescription(Tag, "Press keys one after the other")
        {
            Description = "As text (`sequence`) or as a list (`steps`). All steps or none.",
            Inputs = [Input.Holder],
            Body = Content.Json<SequenceBody>("""{"sequence":"A 4, wait 10, Up+B 2"}"""),
            Answers = [Content.Json<PressAnswer>(PressExample)],
        });
    }

    private static OperationDescription Level(string summary, string? description) => new(Tag, summary)
    {
        Description = description,
        Inputs = [Input.Holder],
        Body = Content.Json<KeysBody>("""{"keys":["A","Up"]}"""),
        Answers = [Content.Json<DoneAnswer>(DoneExample)],
    };

    private static Task Read(HttpContext http) => http.SendAsync(new ReadKeys(), static (http, _, reply) =>
        JsonBody.WriteAsync(http, KeysAnswer.Of(reply), BridgeJson.Default.KeysAnswer));

    private static async Task Change(HttpContext http, KeyChange change)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.KeysBody) is { } body)
        {
            await http.SendAsCallerAsync(new ChangeKeys(change, body.Keys), Callers.DoneAsync);
        }
    }

    private static Task Release(HttpContext http) => http.SendAsCallerAsync(new ReleaseKeys(), Callers.DoneAsync);

    private static async Task Tap(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.TapBody) is not { } body)
        {
            return;
        }

        if (body.Keys.Count == 0)
        {
            await Problems.BadRequestAsync(http, TapBody.FormatHint);
            return;
        }

        await http.SendAsCallerAsync(
            new TapKeys(body.Keys, body.Frames, body.Gap, body.Wait),
            static (http, command, reply) => WritePressAsync(http, reply, command.Descriptor),
            body.Wait ? PressAnswer.MaxWait : null);
    }

    private static async Task Sequence(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.SequenceBody) is not { } body)
        {
            return;
        }

        if (body.Text() is not { } steps)
        {
            await Problems.BadRequestAsync(http, SequenceBody.FormatHint);
            return;
        }

        await http.SendAsCallerAsync(
            new PlaySequence(steps, body.Gap, body.Wait),
            static (http, command, reply) => WritePressAsync(http, reply, command.Descriptor),
            body.Wait ? PressAnswer.MaxWait : null);
    }

    private static ValueTask WritePressAsync(HttpContext http, Reply reply, CommandDescriptor row) =>
        JsonBody.WriteAsync(http, PressAnswer.Of(reply, row), BridgeJson.Default.PressAnswer);
}
