using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Tests.Commands;

public sealed class FailureTableTests
{
    public static TheoryData<CommandFailureKind> All => [.. Enum.GetValues<CommandFailureKind>()];

    [Theory]
    [MemberData(nameof(All))]
    public void Rule_OfEveryFailure_IsItsOwnDescriptor(CommandFailureKind failure)
    {
        var rule = FailureTable.Of(failure);
        Assert.Equal(failure, rule.Kind);
        Assert.InRange(rule.Status, 400, 507);
        Assert.NotEmpty(rule.Title);
        Assert.StartsWith("urn:mgba-bridge:problem:", rule.ProblemType, StringComparison.Ordinal);
    }

    [Fact]
    public void Rules_AllTogether_HaveNamesAndLogEventsOfTheirOwn()
    {
        Assert.Equal(Enum.GetValues<CommandFailureKind>(), FailureTable.Rules.Select(rule => rule.Kind));
        Assert.Distinct(FailureTable.Rules.Select(rule => rule.Name));
        Assert.Distinct(FailureTable.Rules.Select(rule => rule.LogEvent));
    }

    [Theory]
    [InlineData(CommandFailureKind.Overloaded, 503, false)]
    [InlineData(CommandFailureKind.ConnectFailed, 503, true)]
    [InlineData(CommandFailureKind.ConnectTimedOut, 503, true)]
    [InlineData(CommandFailureKind.NotOurs, 502, false)]
    [InlineData(CommandFailureKind.WrongVersion, 502, false)]
    [InlineData(CommandFailureKind.Silent, 503, false)]
    [InlineData(CommandFailureKind.ConnectionLost, 502, true)]
    [InlineData(CommandFailureKind.ReplyTimedOut, 504, false)]
    [InlineData(CommandFailureKind.Indeterminate, 502, false)]
    [InlineData(CommandFailureKind.ReplyTooLarge, 502, false)]
    [InlineData(CommandFailureKind.Leased, 423, false)]
    [InlineData(CommandFailureKind.GuardFailed, 412, false)]
    [InlineData(CommandFailureKind.LeaseExpired, 503, false)]
    [InlineData(CommandFailureKind.SaveFailed, 507, false)]
    public void Rule_OfAFailure_SaysStatusAndRetryAsTheDesignDoes(CommandFailureKind failure, int status, bool retried)
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
        Assert.Equal(status, new CommandFailure(CommandFailureKind.Rejected, "no") { Code = ErrorCodes.Parse(code) }.Status);
}
