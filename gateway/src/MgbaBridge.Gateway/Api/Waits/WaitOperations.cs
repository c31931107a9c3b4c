using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Waits;

/// <summary>Requests that complete when a condition holds or frames have passed.</summary>
internal static class WaitOperations
{
    public static CommandOperation<WaitBody, Wait, WaitAnswer> Until { get; } = new("wait.until", HttpMethods.Post, "/v2/wait", Access.Play)
    {
        Tag = "Playing",
        Summary = "Wait for a condition on memory, or for some frames",
        Description = "The condition is checked when the request arrives and then once a frame. Disconnecting cancels the wait. Without `frames` it waits up to an hour. "
            + "Over WebSocket the places of a condition are locations with a type; names are for HTTP.",
        Aliases = ["wait"],
        IsEffect = false,
        Request = Request.Body<WaitBody>(WaitJson.Default, """{"all":[{"location":"0x02000008","type":"u32","is":"ge","value":100}],"frames":600}"""),
        Command = static (WaitBody body, out Wait command) => body.Command(out command),
        Read = static (_, reply) => WaitAnswer.Of(reply),
        Response = WaitJson.Default,
        ResponseExample = """{"frame":4931,"epoch":"9f3a01c2","met":true,"values":[104]}""",
        Timeout = static body => body.MaxWait,
        Endpoint = static http => OperationRoutes.InvokeAsync(http, ByName!.Value),
    };

    /// <summary>The same where the places of a condition may be names of the open game.</summary>
    public static Lazy<HandlerOperation<WaitBody, WaitAnswer>> ByName { get; } = new(static () => new HandlerOperation<WaitBody, WaitAnswer>(Until.Name, Until.Method, Until.Path, Until.Access)
    {
        Tag = Until.Tag,
        Summary = Until.Summary,
        Request = Until.Request,
        Response = Until.Response,
        Run = static (context, body) =>
            body is { IsValid: true, Condition: { } text } && Condition.TryParse(text, out var condition, out _) && condition.InMemory() is null ? NamedCondition.WaitAsync(context, condition, body)
            : body.Command(out var command) is { } wrong ? ValueTask.FromResult<OperationResult<WaitAnswer>>(Refusal.BadRequest(wrong))
            : context.SendAsync(command, WaitAnswer.Of, body.MaxWait),
    });

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Until];
}

/// <summary>The JSON of waits.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(NumberTypeConverter), typeof(ComparisonConverter)])]
[JsonSerializable(typeof(WaitBody))]
[JsonSerializable(typeof(WaitAnswer))]
internal sealed partial class WaitJson : JsonSerializerContext;
