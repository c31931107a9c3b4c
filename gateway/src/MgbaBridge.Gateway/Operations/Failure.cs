using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Why an operation has no result, in every interface: HTTP and WebSocket write it as a problem.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Detail">What went wrong here, and what to change.</param>
/// <param name="Next">What the caller can do next, or null.</param>
public sealed record Failure(FailureKind Kind, string Detail, NextStep? Next = null)
{
    /// <summary>What went wrong here, and what to change.</summary>
    public string Detail { get; } = EscapedText.Of(Detail);

    /// <summary>The failure of a command, which then says all of it; null for other reasons.</summary>
    public CommandFailure? OfCommand { get; private init; }

    /// <summary>What went wrong here, and what the caller can do next.</summary>
    /// <param name="nameOf">How an interface names an operation.</param>
    public string Explain(Func<Operation, string> nameOf) => Next is null ? Detail : $"{Detail} {Next.Sentence(nameOf)}";

    /// <summary>A command failed.</summary>
    public static Failure Of(CommandFailure failure) => new(new FailureKind(failure.Status, failure.Rule.Name, failure.Rule.Title), failure.Detail) { OfCommand = failure };

    /// <summary>The request is wrong, and nothing was sent.</summary>
    public static Failure BadRequest(string detail) => new(FailureKind.BadRequest, detail);

    /// <summary>The caller's token has a role that is not enough.</summary>
    public static Failure RoleNeeded(Role needed, Role role) => new(FailureKind.RoleNeeded, $"This needs a token with the role {needed.Name()}; the token has the role {role.Name()}.");

    /// <summary>The caller's token belongs to an owner, and what it wants concerns others, too.</summary>
    public static Failure OperatorNeeded(string owner) => new(
        FailureKind.OperatorNeeded, $"The token belongs to the owner {owner} and is for this owner's sessions alone (paths below /i/ and /v2/fleet). This needs a token without an owner, or uses a file or what the gateway keeps for all.");

    /// <summary>The process has no memory left for the request.</summary>
    public static Failure NoMemory() => new(FailureKind.MemoryFull, "The gateway has no memory left for this request.", NextStep.Do("Send less at once, or give the process more memory."));
}
