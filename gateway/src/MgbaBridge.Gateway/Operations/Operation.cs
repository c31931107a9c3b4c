using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations;

/// <summary>What an operation needs permission for.</summary>
public enum Access
{
    /// <summary>Reads without side effects.</summary>
    Read,

    /// <summary>Presses keys, waits.</summary>
    Play,

    /// <summary>Takes the lease, and with it the game from all others.</summary>
    Control,

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
        Access.Play => Security.Role.Guest,
        Access.Control => Security.Role.Player,
        _ => Security.Role.Owner,
    };
}

/// <summary>What a caller may hold after an operation. What a session holds is released when it ends.</summary>
[Flags]
public enum Held
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Keys that are down, and queued taps.</summary>
    Keys = 1,

    /// <summary>Frozen values.</summary>
    Freezes = 2,

    /// <summary>The lease.</summary>
    Lease = 4,

    /// <summary>A higher speed.</summary>
    Speed = 8,

    /// <summary>Sensors of the cartridge.</summary>
    Sensors = 16,

    /// <summary>Breakpoints and watchpoints, and a game that is halted.</summary>
    Points = 32,
}

/// <summary>
/// One thing that a caller can request, declared once. HTTP, WebSocket, batches, command line and the OpenAPI document are made from the declaration.
/// </summary>
/// <param name="resource">What it has in common with others.</param>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>: resource, dot, verb.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public abstract class Operation(Resource resource, string name, string method, string path, Access access)
{
    /// <summary>What it has in common with others.</summary>
    public Resource Resource { get; } = resource;

    /// <summary>The name on WebSocket and in <c>/v2/operations</c>: resource, dot, verb.</summary>
    public string Name { get; } = name;

    /// <summary>The two parts of the name.</summary>
    internal (string Resource, string Verb) Parts => Name.Split('.', 2) is [var resource, var verb] ? (resource, verb) : throw new InvalidOperationException($"{Name} has no dot.");

    /// <summary>The HTTP method.</summary>
    public string Method { get; } = method;

    /// <summary>The HTTP path.</summary>
    public string Path { get; } = path;

    /// <summary>What it needs permission for; of a batch, at least: its items may need more.</summary>
    public Access Access { get; } = access;

    /// <summary>What it does, in a few words.</summary>
    public required string Summary { get; init; }

    /// <summary>More about it, or null.</summary>
    public string? Description { get; init; }

    /// <summary>HTTP statuses besides 200 that are worth a line each.</summary>
    public IReadOnlyList<StatusNote> Statuses { get; init; } = [];

    /// <summary>Whether it sends commands to the emulator, so that the response has a frame and may fail in the ways of the failure table.</summary>
    public bool UsesEmulator { get; init; } = resource.UsesEmulator;

    /// <summary>Whether the path without an id works while the gateway has no emulator.</summary>
    public bool WorksWithoutEmulator { get; init; }

    /// <summary>Whether it changes something, so that it must run exactly once. By default what needs more than read access.</summary>
    public bool IsEffect { get; init; } = access != Access.Read;

    /// <summary>Whether effects belong to a holder, which HTTP callers may name.</summary>
    public bool HasHolder
    {
        get => field || (IsEffect && UsesEmulator);
        init;
    }

    /// <summary>Whether it runs for the holder that an HTTP caller names.</summary>
    internal virtual bool TakesHolder => HasHolder;

    /// <summary>What the caller may hold afterwards.</summary>
    public Held Holds { get; init; }

    /// <summary>How it is written as an item of a batch, or null when it cannot be one.</summary>
    public BatchEntry? Batch
    {
        get => field ??= MakeBatchEntry()?.For(Access);
        init => field = value?.For(Access);
    }

    /// <summary>Whether it exists for each emulator, so that other emulators than the first have its path below <c>/i/{id}</c>.</summary>
    public bool IsPerEmulator { get; init; } = resource.IsPerEmulator;

    /// <summary>Whether it concerns what all callers of the gateway share, so that a token of an owner is not enough.</summary>
    public bool IsShared { get; init; } = resource.IsShared;

    /// <summary>Whether it is served without a token.</summary>
    public bool IsWithoutToken { get; init; }

    /// <summary>Whether interfaces other than HTTP lack it: an endless stream, an upload, a large file.</summary>
    public bool IsHttpOnly { get; init; }

    /// <summary>Whether a WebSocket has an operation of this name: also where it has one of its own instead of one that is for HTTP alone.</summary>
    public bool IsOnWebSocket
    {
        get => field || !IsHttpOnly;
        init;
    }

    /// <summary>Whether a request can have bytes.</summary>
    internal virtual bool TakesBytes => false;

    /// <summary>The body of HTTP requests as the reference describes it; null for what the parameters say.</summary>
    public Content? Body { get; init; }

    /// <summary>Why it cannot be an item of a batch, where it cannot.</summary>
    internal virtual string WhyNoItem => IsHttpOnly ? "only HTTP has it" : NoItem ?? "it takes frames, or another item does the same";

    /// <summary>Why the script does not take its command in a batch, and what to do instead; null where it does.</summary>
    public string? NoItem { get; init; }

    /// <summary>The property of the response that is false when what was asked for did not happen in time, which the command line's exit code says; null for none.</summary>
    public string? Outcome { get; init; }

    /// <summary>Whether the bytes of HTTP requests are read as they arrive, of any number, by the operation itself: <see cref="Invocation.Upload"/>.</summary>
    public bool TakesUpload { get; init; }

    /// <summary>Query parameters and headers of HTTP that no parameter declares.</summary>
    public IReadOnlyList<Input> Inputs { get; init; } = [];

    /// <summary>Whether HTTP requests may have no body, although the body is bytes.</summary>
    public bool BodyIsOptional { get; init; }

    /// <summary>Makes the entry of an operation that declares only its name and result.</summary>
    private protected virtual BatchEntry? MakeBatchEntry() => null;

    /// <summary>Why a caller may not do something, or null. Owners may not change files or what the gateway keeps.</summary>
    internal static Failure? Refuse(Caller caller, Access access, bool isShared) => caller.Role < access.Role() ? Failure.RoleNeeded(access.Role(), caller.Role)
        : caller.Owner is { } owner && (isShared || access == Access.Manage) ? Failure.OperatorNeeded(owner)
        : null;

    /// <summary>Serves a request of any interface: reads it, runs it, and writes what came of it.</summary>
    internal abstract ValueTask ServeAsync<TInterface>(TInterface request)
        where TInterface : struct, IInterfaceRequest<TInterface>;

    /// <summary>The type that the JSON of its response is made from.</summary>
    internal abstract Type ResponseType { get; }

    /// <summary>Whether a response can be bytes alone, with no more than its frame.</summary>
    internal abstract bool CanBeBytes { get; }

    /// <summary>The JSON contexts of its request and response, for the schemas of the OpenAPI document.</summary>
    internal abstract IEnumerable<JsonSerializerContext> JsonContexts { get; }

    /// <summary>What the reference says about it.</summary>
    internal abstract OperationDescription Describe();
}
