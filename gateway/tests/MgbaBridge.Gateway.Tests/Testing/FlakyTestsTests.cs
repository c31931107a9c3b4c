using MgbaBridge.Gateway.Testing;

namespace MgbaBridge.Gateway.Tests.Testing;

public sealed class FlakyTestsTests
{
    [Fact]
    public void Outcomes_ThatDiffer_AreFailures()
    {
        TestOutcome[] first = [Passed("same"), Failed("same too", 4, "no"), Passed("flaky"), Failed("later", 4, "no"), Failed("other", 4, "no"), Passed("once"), Passed("skipped")];
        TestOutcome[] second = [Passed("same"), Failed("same too", 4, "no"), Failed("flaky", 7, "why"), Failed("later", 5, "no"), Failed("other", 4, "yes"), Passed("skipped") with { Skipped = "not run" }, Passed("new")];

        var compared = FlakyTests.In(first, second);

        Assert.Equal(first[..2], compared.Take(2));
        Assert.Equal(
            [
                ("flaky", 7L, "The test is flaky: in the first run it passed, in the second it failed in frame 7 (\"why\")."),
                ("later", 4L, "The test is flaky: in the first run it failed in frame 4 (\"no\"), in the second it failed in frame 5 (\"no\")."),
                ("other", 4L, "The test is flaky: in the first run it failed in frame 4 (\"no\"), in the second it failed in frame 4 (\"yes\")."),
                ("once", null, "The test is flaky: it ran in one of two runs only."),
                ("skipped", null, "The test is flaky: in the first run it passed, in the second it was skipped."),
                ("new", (long?)null, "The test is flaky: it ran in one of two runs only."),
            ],
            compared.Skip(2).Select(static outcome => (outcome.Test.Name, outcome.Failure!.Frame, outcome.Failure.Reason)));
    }

    private static TestOutcome Passed(string name) => new(new TestId("a.test.yaml", 1, name, 3), null, TimeSpan.FromSeconds(1));

    private static TestOutcome Failed(string name, long frame, string reason) => Passed(name) with { Failure = new TestFailure(5, frame, reason), Time = TimeSpan.FromSeconds(2) };
}
