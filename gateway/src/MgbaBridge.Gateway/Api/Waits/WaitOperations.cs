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
        Summary = "Wait until memory says so, or for some frames",
        Description = "Looked at when it arrives and then once a frame, inside the emulator. A caller that leaves takes it back. Without `frames` it waits up to an hour.",
        Aliases = ["wait"],
        IsEffect = false,
        Request = Request.Body(WaitJson.Default.WaitBody, """{"all":[{"location":"0x02000008","type":"u32","is":"ge","value":100}],"frames":600}"""),
        Command = static (WaitBody body, out Wait command) =>
        {
            var wait = body.Command();
            command = wait.GetValueOrDefault();
            return wait is null ? WaitBody.FormatHint : null;
        },
        Read = static (_, reply) => WaitAnswer.Of(reply),
        Response = WaitJson.Default.WaitAnswer,
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
