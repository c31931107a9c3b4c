using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class ReplySpinWaitTests
{
    private int _looks;
    private int _arrivesAt = int.MaxValue;

    [Fact]
    public void Look_ForAnAnswerThatComes_EndsWithIt()
    {
        var wait = NewWait();
        _arrivesAt = 7;
        for (var request = 1; request <= 1_000; request++)
        {
            Assert.Equal(7, LooksFor(wait));
        }
    }

    [Fact]
    public void Look_ForAnswersThatDoNotCome_IsTriedOnlyNowAndThen()
    {
        var wait = NewWait();
        const int Requests = 100 * (ReplySpinWait.RestAfterBadLuck + 1);
        var looks = Enumerable.Range(0, Requests).Sum(_ => LooksFor(wait));
        Assert.Equal(100 * ReplySpinWait.Looks, looks);
    }

    [Fact]
    public void Look_AfterOneThatHelpedForLong_GivesUpWithinAFewRequests()
    {
        var wait = NewWait();
        _arrivesAt = 1;
        for (var request = 0; request < 1_000; request++)
        {
            LooksFor(wait);
        }

        _arrivesAt = int.MaxValue;
        Assert.InRange(Enumerable.Range(0, ReplySpinWait.RestAfterBadLuck).Count(_ => LooksFor(wait) > 0), 1, 10);
    }

    [Fact]
    public void Look_WhereSeveralAsk_WaitsForNobody()
    {
        var wait = NewWait();
        _arrivesAt = 1;
        Assert.Equal(0, LooksFor(wait, outstanding: 2));
        for (var request = 0; request < ReplySpinWait.RestAfterCrowd; request++)
        {
            Assert.Equal(0, LooksFor(wait));
        }

        Assert.Equal(1, LooksFor(wait));
    }

    private ReplySpinWait NewWait() => new(() => ++_looks >= _arrivesAt);

    private int LooksFor(ReplySpinWait wait, int outstanding = 1)
    {
        _looks = 0;
        wait.Look(outstanding);
        return _looks;
    }
}
