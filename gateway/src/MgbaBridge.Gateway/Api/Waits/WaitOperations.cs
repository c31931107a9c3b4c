using System.Text.Json.Serialization;
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
        Description = "The script checks the condition when the request arrives and then once a frame. Disconnecting cancels the wait. Without `frames` it waits up to an hour.",
        Aliases = ["wait"],
        IsEffect = false,
        Request = Request.Body<WaitBody>(WaitJson.Default, """{"all":[{"location":"0x02000008","type":"u32","is":"ge","value":100}],"frames":600}"""),
        Command = static (WaitBody body, out Wait command) =>
        {
            var wait = body.Command();
            command = wait.GetValueOrDefault();
            return wait is null ? WaitBody.FormatHint : null;
        },
        Read = static (_, reply) => WaitAnswer.Of(reply),
        Response = WaitJson.Default,
        ResponseExample = """{"frame":4931,"epoch":"9f3a01c2","met":true,"values":[104]}""",
        Timeout = static body => body.MaxWait,
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Until];
}

/// <summary>The JSON of waits.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters = [typeof(NumberTypeConverter), typeof(ComparisonConverter)])]
[JsonSerializable(typeof(WaitBody))]
[JsonSerializable(typeof(WaitAnswer))]
internal sealed partial class WaitJson : JsonSerializerContext;
