namespace MgbaBridge.Gateway.Commands;

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
