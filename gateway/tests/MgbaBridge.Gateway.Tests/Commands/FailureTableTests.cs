using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Tests.Commands;

public sealed class FailureTableTests
{
    public static TheoryData<Failure> All => [.. Enum.GetValues<Failure>()];

    [Theory]
    [MemberData(nameof(All))]
    public void Rule_OfEveryFailure_IsItsOwnDescriptor(Failure failure)
    {
        var rule = FailureTable.Of(failure);
        Assert.Equal(failure, rule.Failure);
        Assert.InRange(rule.Status, 400, 507);
        Assert.NotEmpty(rule.Title);
        Assert.StartsWith("urn:mgba-bridge:problem:", rule.ProblemType, StringComparison.Ordinal);
    }

    [Fact]
    public void Rules_AllTogether_HaveNamesAndLogEventsOfTheirOwn()
    {
        Assert.Equal(Enum.GetValues<Failure>(), FailureTable.Rules.Select(rule => rule.Failure));
        Assert.Distinct(FailureTable.Rules.Select(rule => rule.Name));
        Assert.Distinct(FailureTable.Rules.Select(rule => rule.LogEvent));
    }

    [Theory]
    [InlineData(Failure.Overloaded, 503, false)]
    [InlineData(Failure.ConnectFailed, 503, true)]
    [InlineData(Failure.ConnectTimedOut, 503, true)]
    [InlineData(Failure.NotOurs, 502, false)]
    [InlineData(Failure.WrongVersion, 502, false)]
    [InlineData(Failure.Silent, 503, false)]
    [InlineData(Failure.ConnectionLost, 502, true)]
    [InlineData(Failure.ReplyTimedOut, 504, false)]
    [InlineData(Failure.Indeterminate, 502, false)]
    [InlineData(Failure.ReplyTooLarge, 502, false)]
    [InlineData(Failure.Leased, 423, false)]
    [InlineData(Failure.GuardFailed, 412, false)]
    [InlineData(Failure.LeaseExpired, 503, false)]
    [InlineData(Failure.SaveFailed, 507, false)]
    public void Rule_OfAFailure_SaysStatusAndRetryAsTheDesignDoes(Failure failure, int status, bool retried)
    {
        var rule = FailureTable.Of(failure);
        Assert.Equal((status, retried), (rule.Status, rule.Retried));
    }

    [Theory]
    [InlineData("bad-address", 400)]
    [InlineData("not-found", 404)]
    [InlineData("no-game", 409)]
    [InlineData("no-lease", 409)]
    [InlineData("not-running", 409)]
    [InlineData("not-a-state", 422)]
    [InlineData("some-code-of-tomorrow", 400)]
    public void Report_OfARefusal_HasTheStatusOfItsCode(string code, int status) =>
        Assert.Equal(status, new FailureReport(Failure.Rejected, "no") { Code = RefusalCodes.Parse(code) }.Status);
}
