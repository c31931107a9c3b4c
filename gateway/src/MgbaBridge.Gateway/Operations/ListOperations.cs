using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations;

/// <summary>All operations of the gateway, in the order in which the reference shows them.</summary>
/// <param name="All">The operations.</param>
internal sealed record OperationList(IReadOnlyList<Operation> All);

/// <summary>The operation that lists all operations.</summary>
internal static class ListOperations
{
    private static readonly Resource Resource = new("Status", OperationJson.Default) { UsesEmulator = false, IsPerEmulator = false, IsShared = false };

    public static HandlerOperation<NoParameters, OperationsAnswer> List { get; } = new(Resource, "operations.list", HttpMethods.Get, "/v2/operations", Access.Read)
    {
        Summary = "All operations",
        Description = "Every operation with its name on WebSocket, its HTTP method and path, its name in a batch, the access and the role that it requires, and whether the caller's token is enough.",
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<OperationsAnswer>>(OperationsAnswer.Of(invocation.Get<OperationList>(), invocation.Caller)),
        ResponseExample = """{"role":"player","operations":[{"name":"keys.tap","method":"POST","path":"/v2/keys/tap","access":"play","role":"guest","allowed":true,"perEmulator":true,"withoutToken":false,"effect":true,"inBatch":true,"batchName":"tap","batchLast":false,"webSocket":true,"summary":"Press keys together for some frames"}]}""",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List];
}

/// <summary>All operations.</summary>
/// <param name="Role">The caller's role: that of its token; `owner` where none is required.</param>
/// <param name="Operations">In the order of the reference.</param>
public sealed record OperationsAnswer(Role Role, IReadOnlyList<OperationAnswer> Operations)
{
    /// <summary>The response for a list of operations and a caller.</summary>
    internal static OperationsAnswer Of(OperationList list, Caller caller) => new(caller.Role, [.. list.All.Select(operation => OperationAnswer.Of(operation, caller))]);
}

/// <summary>An operation.</summary>
/// <param name="Name">Its name: resource, dot, verb.</param>
/// <param name="Method">The HTTP method.</param>
/// <param name="Path">The HTTP path.</param>
/// <param name="Access">What it needs permission for: `read`, `play`, `control`, `write` or `manage`. A batch needs the largest of its items.</param>
/// <param name="Role">The least role that has this access.</param>
/// <param name="Allowed">Whether the caller's token is enough.</param>
/// <param name="PerEmulator">Whether it is about one emulator: the path is for the first one, and below `/i/{id}` for each. Otherwise it is about the gateway or all emulators.</param>
/// <param name="WithoutToken">Whether it is served without a token, whatever its access.</param>
/// <param name="Effect">Whether it changes something, so that it must run at most once.</param>
/// <param name="InBatch">Whether it can be an item of a batch.</param>
/// <param name="BatchName">The property's name in an item of a batch; absent when it cannot be one.</param>
/// <param name="BatchLast">Whether it comes last in a batch and has a frame of its own: the gateway runs it, not the script. Absent when it cannot be an item.</param>
/// <param name="WebSocket">Whether it can be requested over WebSocket.</param>
/// <param name="Summary">What it does.</param>
public readonly record struct OperationAnswer(
    string Name, string Method, string Path, Access Access, Role Role, bool Allowed, bool PerEmulator, bool WithoutToken, bool Effect, bool InBatch, string? BatchName, bool? BatchLast, bool WebSocket, string Summary)
{
    /// <summary>The response for one operation and a caller.</summary>
    internal static OperationAnswer Of(Operation operation, Caller caller) => new(
        operation.Name, operation.Method, operation.Path, operation.Access, operation.Access.Role(), Operation.Refuse(caller, operation.Access, operation.IsShared) is null, operation.IsPerEmulator, operation.IsWithoutToken, operation.IsEffect,
        operation.Batch is not null, operation.Batch?.Name, operation.Batch?.IsOfGateway, operation.IsOnWebSocket, operation.Summary);
}

/// <summary>An access level in JSON: <c>"read"</c>.</summary>
public sealed class AccessConverter() : JsonStringEnumConverter<Access>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);

/// <summary>A role in JSON: <c>"player"</c>.</summary>
public sealed class RoleConverter() : JsonStringEnumConverter<Role>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);

/// <summary>The JSON of the list of operations.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(AccessConverter), typeof(RoleConverter)])]
[JsonSerializable(typeof(OperationsAnswer))]
internal sealed partial class OperationJson : JsonSerializerContext;
