namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>All rows of a run, and figures that compare several of them.</summary>
internal sealed class Rows(IReadOnlyList<RowResult> all)
{
    public const string Ours = "ours", BaselineName = "baseline", IdleRow = "idle";

    public IReadOnlyList<RowResult> All => all;

    public RowResult? Of(string label, string row) => all.LastOrDefault(result => result.Label == label && result.Row == row);

    /// <summary>
    /// The fraction of frames that the game lost in the worst five seconds of a row, compared with the idle row of the same script.
    /// Negative when it ran more frames.
    /// </summary>
    public double? WorstLoss(RowResult row) => IdleFps(row) is double idle && row.Pace.Windows.Count > 0 ? 1 - (row.Pace.Windows.Min() / idle) : null;

    /// <summary>The fraction of frames lost over the whole row.</summary>
    public double? Loss(RowResult row) => IdleFps(row) is double idle && row.Pace.Seconds > 0 ? 1 - (row.Pace.Fps / idle) : null;

    private double? IdleFps(RowResult row) => Of(row.Label, IdleRow)?.Pace.Fps is > 0 and var fps ? fps : null;
}
