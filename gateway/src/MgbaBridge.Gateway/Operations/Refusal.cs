using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Why an operation has no response, independent of the transport: it becomes a problem on HTTP and on WebSocket.</summary>
/// <param name="Status">The HTTP status.</param>
/// <param name="Name">The last part of the problem's type.</param>
/// <param name="Title">What went wrong, the same for all of this name.</param>
/// <param name="Detail">What went wrong here, and what to change.</param>
/// <param name="Failure">The failure of a command, which then says all of it; null for other reasons.</param>
public sealed record Refusal(int Status, string Name, string Title, string Detail, FailureReport? Failure = null)
{
    /// <summary>What the caller can do next, or null.</summary>
    public NextStep? Next { get; init; }

    /// <summary>What went wrong here, and what the caller can do next.</summary>
    /// <param name="nameOf">How an interface names an operation.</param>
    public string Explain(Func<Operation, string> nameOf) => Next is null ? Detail : $"{Detail} {Next.Sentence(nameOf)}";

    /// <summary>A command failed.</summary>
    public static Refusal Of(FailureReport failure) => new(failure.Status, failure.Rule.Name, failure.Rule.Title, failure.Detail, failure);

    /// <summary>The request is wrong, and nothing was sent.</summary>
    public static Refusal BadRequest(string detail) => new(StatusCodes.Status400BadRequest, "bad-request", "The request is not valid", detail);

    /// <summary>There is nothing of this name.</summary>
    public static Refusal NotFound(string what, string detail, NextStep? next = null) => new(StatusCodes.Status404NotFound, $"no-such-{what}", $"There is no such {what}", detail) { Next = next };

    /// <summary>The caller's token has a role that is not enough.</summary>
    public static Refusal RoleNeeded(Role needed, Role role) => new(
        StatusCodes.Status403Forbidden, "role-needed", "The role of the token is not enough", $"This needs a token with the role {needed.Name()}; the token has the role {role.Name()}.");

    /// <summary>It cannot be done as things are.</summary>
    public static Refusal Conflict(string name, string title, string detail, NextStep? next = null) => new(StatusCodes.Status409Conflict, name, title, detail) { Next = next };

    /// <summary>It would take more memory than a setting allows.</summary>
    public static Refusal MemoryFull(string detail, NextStep? next = null) => new(StatusCodes.Status507InsufficientStorage, "memory-full", "The memory limit is reached", detail) { Next = next };

    /// <summary>It is larger than allowed.</summary>
    public static Refusal TooLarge(string detail) => new(StatusCodes.Status413PayloadTooLarge, "too-large", "The request is too large", detail);

    /// <summary>As many requests as allowed were sent, or are under way.</summary>
    public static Refusal TooMany(string detail) => new(StatusCodes.Status429TooManyRequests, "too-many-requests", "Too many requests", detail);

    /// <summary>The gateway lacks what it takes.</summary>
    public static Refusal Unsupported(string detail) => new(StatusCodes.Status501NotImplemented, "unsupported", "This gateway cannot do that", detail);

    /// <summary>The process has no memory left for the request.</summary>
    public static Refusal NoMemory() => MemoryFull("The gateway has no memory left for this request.", NextStep.Do("Send less at once, or give the process more memory."));
}
