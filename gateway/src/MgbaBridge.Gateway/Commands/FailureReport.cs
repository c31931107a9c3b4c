namespace MgbaBridge.Gateway.Commands;

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
