using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

/// <summary>The ways in which a request can fail. <see cref="FailureTable"/> holds the properties of each.</summary>
public enum CommandFailureKind
{
    /// <summary>The request was queued until its time limit. Nothing was sent.</summary>
    Overloaded,

    /// <summary>Nothing listens on the port, or the name does not resolve. Nothing was sent.</summary>
    ConnectFailed,

    /// <summary>The connection was not accepted in time. Nothing was sent.</summary>
    ConnectTimedOut,

    /// <summary>Another program answers on the port.</summary>
    NotOurs,

    /// <summary>The script has another version.</summary>
    WrongVersion,

    /// <summary>The port accepts connections, but the script sends nothing.</summary>
    Silent,

    /// <summary>The connection broke after bytes may have been sent.</summary>
    ConnectionLost,

    /// <summary>No reply within the timeout. The command may have run; it was cancelled.</summary>
    ReplyTimedOut,

    /// <summary>The command may have run: the script or the game changed before the reply came.</summary>
    Indeterminate,

    /// <summary>The reply is over the limit.</summary>
    ReplyTooLarge,

    /// <summary>Another holder has the lockstep lease.</summary>
    Leased,

    /// <summary>A guard of the batch did not match. Nothing was done.</summary>
    GuardFailed,

    /// <summary>The script refused the command, with a code of its own.</summary>
    Rejected,

    /// <summary>The lease of the emulator's host has ended: another host may run the game by now.</summary>
    LeaseExpired,

    /// <summary>The emulator has the save, and its file cannot be written: it tries again.</summary>
    SaveFailed,
}

/// <summary>A failure with its text.</summary>
/// <param name="Kind">The kind of failure.</param>
/// <param name="Detail">One or two sentences: what was found, and what to do or which setting to change.</param>
public sealed record CommandFailure(CommandFailureKind Kind, string Detail)
{
    /// <summary>One or two sentences: what was found, and what to do or which setting to change.</summary>
    public string Detail { get; init => field = EscapedText.Of(value); } = EscapedText.Of(Detail);

    /// <summary>The script's own code when it refused, such as <c>bad-address</c>.</summary>
    public ErrorCode? Code { get; init; }

    /// <summary>The name of the code; null for none.</summary>
    public string? CodeName => Code is { } code ? ErrorCodes.NameOf(code) : null;

    /// <summary>The named values of an error reply in wire format, such as <c>item=3</c>; empty for none.</summary>
    public ReadOnlyMemory<byte> Values { get; init; }

    /// <summary>One of the values, as text; empty if it is not among them.</summary>
    internal string TextOf(ReadOnlySpan<byte> name)
    {
        var values = new ValueReader(Values.Span);
        return values.ReadTo(name) ? values.GetText() : "";
    }

    /// <summary>The properties of the failure.</summary>
    public FailureRule Rule => FailureTable.Of(Kind);

    /// <summary>Whether something was done before the failure, as in a replay of several commands.</summary>
    public bool PartlyDone { get; init; }

    /// <summary>Whether the command may have had its effect. Two error replies do not rule it out.</summary>
    public bool MayHaveRun => PartlyDone || Rule.MayHaveRun || Code is ErrorCode.Internal or ErrorCode.Cancelled;

    /// <summary>The HTTP status: from the table, or from the code of an error reply.</summary>
    public int Status => Kind == CommandFailureKind.Rejected && Code is { } code ? ErrorCodes.StatusOf(code) : Rule.Status;
}

/// <summary>The properties of a failure.</summary>
/// <param name="Kind">The kind of failure.</param>
/// <param name="Status">The HTTP status. For <see cref="Commands.CommandFailureKind.Rejected"/> the reply's code decides instead.</param>
/// <param name="Name">The last part of the problem's type, the metric tag and the log event's name.</param>
/// <param name="Title">The problem's title.</param>
/// <param name="Retried">Whether another attempt is made, with the same id.</param>
/// <param name="RetryAfter">The value of <c>Retry-After</c>, or null for no such header.</param>
/// <param name="MayHaveRun">Whether the command may have had its effect.</param>
/// <param name="LogEvent">The log event's id.</param>
public sealed record FailureRule(
    CommandFailureKind Kind, int Status, string Name, string Title, bool Retried, TimeSpan? RetryAfter, bool MayHaveRun, int LogEvent)
{
    /// <summary>The problem type.</summary>
    public string ProblemType { get; } = TypeOf(Name);

    /// <summary>The problem type of this name.</summary>
    public static string TypeOf(string name) => $"urn:mgba-bridge:problem:{name}";
}
