namespace MgbaBridge.Gateway.Commands;

/// <summary>All that can go wrong with a request. What follows from each stands in <see cref="FailureTable"/>.</summary>
public enum Failure
{
    /// <summary>Waited for a free place and got none. Nothing was sent.</summary>
    Overloaded,

    /// <summary>Nothing listens on the port, or the name does not resolve. Nothing was sent.</summary>
    ConnectFailed,

    /// <summary>The connection was not accepted in time. Nothing was sent.</summary>
    ConnectTimedOut,

    /// <summary>Another program answers on the port.</summary>
    NotOurs,

    /// <summary>A script answers, but one that speaks another version.</summary>
    WrongVersion,

    /// <summary>The port accepts and no frame runs.</summary>
    Silent,

    /// <summary>The connection broke after bytes may have left.</summary>
    ConnectionLost,

    /// <summary>No reply within the deadline. It may have run; it is cancelled now.</summary>
    ReplyTimedOut,

    /// <summary>It may have run: the script or the game changed before the answer came.</summary>
    Indeterminate,

    /// <summary>The reply is over the limit.</summary>
    ReplyTooLarge,

    /// <summary>Another holder has the lockstep lease.</summary>
    Leased,

    /// <summary>A guard of the batch did not match. Nothing was done.</summary>
    GuardFailed,

    /// <summary>The script says no, with a code of its own.</summary>
    Rejected,
}

/// <summary>One thing that went wrong, for people and for programs.</summary>
/// <param name="Failure">Which row of the table.</param>
/// <param name="Detail">One or two sentences: what was found, and what to do or which setting to change.</param>
public sealed record FailureReport(Failure Failure, string Detail)
{
    /// <summary>The script's own code when it refused, such as <c>bad-address</c>.</summary>
    public string? Code { get; init; }

    /// <summary>The named values of a refusal as they stand on the wire, such as <c>item=3</c>; empty if there are none.</summary>
    public ReadOnlyMemory<byte> Values { get; init; }

    /// <summary>What follows from the failure.</summary>
    public FailureRule Rule => FailureTable.Of(Failure);

    /// <summary>Whether something was done before it, as in a replay of several commands.</summary>
    public bool PartlyDone { get; init; }

    /// <summary>Whether the command may have had its effect; two refusals of the script are not certain that it had none.</summary>
    public bool MayHaveRun => PartlyDone || Rule.MayHaveRun || Code is "internal" or "cancelled";

    /// <summary>The HTTP status: the table's, or by code when the script refused.</summary>
    public int Status => Failure == Failure.Rejected && Code is not null ? RefusalCodes.StatusOf(Code) : Rule.Status;
}

/// <summary>Everything that follows from a failure.</summary>
/// <param name="Failure">The failure.</param>
/// <param name="Status">The HTTP status. For <see cref="Commands.Failure.Rejected"/> the refusal's code decides instead.</param>
/// <param name="Name">The last part of the problem's type, the metric tag and the log event's name.</param>
/// <param name="Title">The problem's title.</param>
/// <param name="Retried">Whether another attempt is made, with the same id.</param>
/// <param name="RetryAfter">What <c>Retry-After</c> says, or null for no such header.</param>
/// <param name="MayHaveRun">Whether the command may have had its effect.</param>
/// <param name="LogEvent">The log event's id.</param>
public sealed record FailureRule(
    Failure Failure, int Status, string Name, string Title, bool Retried, TimeSpan? RetryAfter, bool MayHaveRun, int LogEvent)
{
    /// <summary>The problem type.</summary>
    public string ProblemType { get; } = $"urn:mgba-bridge:problem:{Name}";
}
