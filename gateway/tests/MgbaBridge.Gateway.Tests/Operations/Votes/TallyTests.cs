using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Votes;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Votes;

public sealed class TallyTests
{
    private readonly ManualTime _time = new();

    [Fact]
    public void Leader_OfATie_IsTheChoiceThatHadItsBallotsFirst()
    {
        var tally = Democracy(choices: 3);
        Assert.Null(tally.Leader);
        foreach (var (voter, choice) in new[] { ("a", 2), ("b", 0), ("c", 0), ("d", 2), ("e", 1) })
        {
            Assert.Null(tally.Cast(voter, choice));
        }

        Assert.Equal((0, 2, 1, 2), (tally.Leader, tally.Of(0), tally.Of(1), tally.Of(2)));
        Assert.Null(tally.Cast("f", 2));
        Assert.Equal((2, 6, 6), (tally.Leader, tally.Ballots, tally.Voters));
    }

    [Fact]
    public void Cast_OfOneVoterTwice_CountsOnceInARound()
    {
        var tally = Democracy();
        Assert.Null(tally.Cast("Ash", 0));
        Assert.Equal(FailureKind.AlreadyVoted, tally.Cast("ASH", 1)?.Kind);
        tally.BeginRound();
        Assert.Equal((2, 0, 0), (tally.Round, tally.Ballots, tally.Voters));
        Assert.Null(tally.Cast("ash", 1));
        Assert.Equal((1, 1), (tally.Leader, tally.Voters));
    }

    [Fact]
    public void Cast_OfOneVoterTooOften_IsRefusedAndDoesNotConcernOthers()
    {
        var tally = Anarchy();
        for (var ballot = 0; ballot < 10_000; ballot++)
        {
            Assert.Equal(ballot < Tally.MaxOfVoter ? null : FailureKind.TooManyRequests, tally.Cast("gary", 0)?.Kind);
        }

        Assert.Null(tally.Cast("ash", 1));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(tally.Cast("gary", 0));
        Assert.Equal((Tally.MaxOfVoter + 2, 2), (tally.Ballots, tally.Voters));
    }

    [Fact]
    public void Cast_OfAllTooOften_IsRefusedUntilTheNextSecond()
    {
        var tally = Anarchy();
        for (var voter = 0; voter < Tally.MaxOfAll; voter++)
        {
            Assert.Null(tally.Cast($"{voter}", 0));
        }

        Assert.Equal(FailureKind.TooManyRequests, tally.Cast("late", 0)?.Kind);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(tally.Cast("late", 0));
    }

    [Fact]
    public void Cast_WithinTheCooldown_IsRefusedAlsoInTheNextRound()
    {
        var tally = new Tally(2, isOneEach: true, TimeSpan.FromSeconds(30), _time);
        Assert.Null(tally.Cast("ash", 0));
        _time.Advance(TimeSpan.FromSeconds(20));
        tally.BeginRound();
        Assert.Equal("ash may vote again in 10.0 s.", tally.Cast("ash", 0)?.Detail);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Null(tally.Cast("ash", 0));
    }

    [Fact]
    public void Cast_OfMoreVotersThanAreRemembered_ForgetsThoseForWhomItMakesNoDifference()
    {
        var tally = Anarchy();
        for (var voter = 0; voter < Tally.MaxVoters * 2; voter++)
        {
            if (voter % Tally.MaxOfAll == 0)
            {
                _time.Advance(TimeSpan.FromSeconds(1.5));
            }

            Assert.Null(tally.Cast($"{voter}", 0));
        }

        var democracy = Democracy();
        for (var voter = 0; voter < Tally.MaxVoters; voter++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(1));
            Assert.Null(democracy.Cast($"{voter}", 0));
        }

        Assert.Equal(FailureKind.TooManyRequests, democracy.Cast("one more", 0)?.Kind);
    }

    private Tally Democracy(int choices = 2) => new(choices, isOneEach: true, TimeSpan.Zero, _time);

    private Tally Anarchy() => new(2, isOneEach: false, TimeSpan.Zero, _time);
}
