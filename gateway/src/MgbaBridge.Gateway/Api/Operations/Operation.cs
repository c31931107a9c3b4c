using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Security;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>What an operation needs permission for.</summary>
public enum Access
{
    /// <summary>Reads without side effects.</summary>
    Read,

    /// <summary>Presses keys, waits, takes the lease.</summary>
    Play,

    /// <summary>Changes memory, registers, states or the game.</summary>
    Write,

    /// <summary>Changes files, symbols or what the gateway keeps.</summary>
    Manage,
}

/// <summary>The roles that have access.</summary>
internal static class AccessRoles
{
    /// <summary>The least role that has this access.</summary>
    public static Role Role(this Access access) => access switch
    {
        Access.Read => Security.Role.Viewer,
        Access.Play => Security.Role.Player,
        _ => Security.Role.Owner,
    };

    /// <summary>Whether the caller has this access.</summary>
    public static bool May(this HttpContext http, Access access) => http.Role() >= access.Role();
}

/// <summary>
/// One thing that a caller can request, declared once. HTTP, WebSocket, batches and the OpenAPI document are made from the declaration at start-up.
/// </summary>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>: resource, dot, verb.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public abstract class Operation(string name, string method, string path, Access access)
{
    /// <summary>The name on WebSocket and in <c>/v2/operations</c>: resource, dot, verb.</summary>
    public string Name { get; } = name;

    /// <summary>The HTTP method.</summary>
    public string Method { get; } = method;

    /// <summary>The HTTP path.</summary>
    public string Path { get; } = path;

    /// <summary>What it needs permission for; of a batch, at least: its items may need more.</summary>
    public Access Access { get; } = access;

    /// <summary>The group it is shown in.</summary>
    public required string Tag { get; init; }

    /// <summary>What it does, in a few words.</summary>
    public required string Summary { get; init; }

    /// <summary>More about it, or null.</summary>
    public string? Description { get; init; }

    /// <summary>Query parameters and headers; path parameters are known from the path.</summary>
    public IReadOnlyList<Input> Inputs { get; init; } = [];

    /// <summary>The query parameters and headers, with the holder where callers name one.</summary>
    private protected IReadOnlyList<Input> InputsWith(bool holder) => holder && !Inputs.Contains(Input.Holder) ? [.. Inputs, Input.Holder] : Inputs;

    /// <summary>Responses besides 200 that are worth a line each.</summary>
    public IReadOnlyList<(int Status, string When)> OtherResponses { get; init; } = [];

    /// <summary>Whether it sends commands to the emulator, so that the response has a frame and may fail in the ways of the failure table.</summary>
    public bool UsesEmulator { get; init; } = true;

    /// <summary>Whether the path without an id works while the gateway has no emulator.</summary>
    public bool WorksWithoutEmulator { get; init; }

    /// <summary>Whether it changes something, so that it must run exactly once. By default what needs more than read access.</summary>
    public bool IsEffect { get; init; } = access != Access.Read;

    /// <summary>How it is written as an item of a batch, or null when it cannot be one.</summary>
    public BatchEntry? Batch
    {
        get => field ??= MakeBatchEntry()?.For(Access);
        init => field = value?.For(Access);
    }

    /// <summary>Whether it exists for each emulator, so that other emulators than the first have its path below <c>/i/{id}</c>.</summary>
    public bool IsPerEmulator { get; init; } = true;

    /// <summary>Whether it is served without a token.</summary>
    public bool IsWithoutToken { get; init; }

    /// <summary>Whether HTTP serves HEAD as well as GET.</summary>
    public bool ServesHead { get; init; }

    /// <summary>Whether it can be requested over WebSocket.</summary>
    public virtual bool IsOverWebSocket => false;

    /// <summary>Makes the entry of an operation that declares only its name and result.</summary>
    private protected virtual BatchEntry? MakeBatchEntry() => null;

    /// <summary>Calls the visitor's method for this kind of operation, with its types.</summary>
    public abstract void Accept(IOperationVisitor visitor);

    /// <summary>The JSON contexts of its request and response, for the schemas of the OpenAPI document.</summary>
    internal abstract IEnumerable<JsonSerializerContext> JsonContexts { get; }

    /// <summary>What the OpenAPI document says about it.</summary>
    internal abstract OperationDescription Describe();
}

/// <summary>A consumer of operations: visits each once at start-up and keeps a typed handler, so that nothing is looked up by reflection.</summary>
public interface IOperationVisitor
{
    /// <summary>An operation that is one command.</summary>
    void Visit<TRequest, TCommand, TResponse>(CommandOperation<TRequest, TCommand, TResponse> operation)
        where TCommand : struct, Client.Commands.ICommand<TCommand>;

    /// <summary>An operation that runs code of the gateway.</summary>
    void Visit<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation);

    /// <summary>An operation that only HTTP has.</summary>
    void Visit(EndpointOperation operation);
}
