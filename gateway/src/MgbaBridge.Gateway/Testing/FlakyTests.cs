using System.Globalization;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Finds tests that do not end in the same way each time.</summary>
internal static class FlakyTests
{
    /// <summary>The outcomes of the first run; those that are others in the second one are failures.</summary>
    public static IReadOnlyList<TestOutcome> In(IReadOnlyList<TestOutcome> first, IReadOnlyList<TestOutcome> second)
    {
        var again = second.GroupBy(static outcome => outcome.Test).ToDictionary(static test => test.Key, static test => test.First());
        var known = first.Select(static outcome => outcome.Test).ToHashSet();
        return
        [
            .. first.Select(outcome => again.TryGetValue(outcome.Test, out var other) ? Compared(outcome, other) : OnlyOnce(outcome)),
            .. second.Where(outcome => !known.Contains(outcome.Test)).Select(OnlyOnce),
        ];
    }

    private static TestOutcome Compared(TestOutcome first, TestOutcome second) => Text(first) is var one && Text(second) is var two && one == two ? first
        : Failed(first, string.Create(CultureInfo.InvariantCulture, $"The test is flaky: in the first run {one}, in the second {two}."), first.Failure?.Frame ?? second.Failure?.Frame);

    private static TestOutcome OnlyOnce(TestOutcome outcome) => Failed(outcome, "The test is flaky: it ran in one of two runs only.", outcome.Failure?.Frame);

    private static TestOutcome Failed(TestOutcome outcome, string reason, long? frame) =>
        outcome with { Failure = new TestFailure(outcome.Failure?.Line ?? outcome.Test.Line, frame, reason), Skipped = null };

    private static string Text(TestOutcome outcome) => outcome switch
    {
        { Failure: { Frame: { } frame } failure } => string.Create(CultureInfo.InvariantCulture, $"it failed in frame {frame} (\"{failure.Reason}\")"),
        { Failure: { } failure } => $"it failed (\"{failure.Reason}\")",
        { Skipped: not null } => "it was skipped",
        _ => "it passed",
    };
}
