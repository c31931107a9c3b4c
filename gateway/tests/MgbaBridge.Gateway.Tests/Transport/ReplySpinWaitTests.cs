using MgbaBridge.Client.Transport;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class ReplySpinWaitTests
{
    private int _checks;
    private int _arrivesAt = int.MaxValue;

    [Fact]
    public void Spin_ReplyArrives_EndsWithIt()
    {
        var wait = NewWait();
        _arrivesAt = 7;
        for (var request = 1; request <= 1_000; request++)
        {
            Assert.Equal(7, SpinsFor(wait));
        }
    }

    [Fact]
    public void Spin_RepliesDoNotArrive_BacksOff()
    {
        var wait = NewWait();
        const int Requests = 100 * (ReplySpinWait.BackOffAfterMiss + 1);
        var spins = Enumerable.Range(0, Requests).Sum(_ => SpinsFor(wait));
        Assert.Equal(100 * ReplySpinWait.MaxSpins, spins);
    }

    [Fact]
    public void Spin_RepliesStopArriving_BacksOffWithinAFewRequests()
    {
        var wait = NewWait();
        _arrivesAt = 1;
        for (var request = 0; request < 1_000; request++)
        {
            SpinsFor(wait);
        }

        _arrivesAt = int.MaxValue;
        Assert.InRange(Enumerable.Range(0, ReplySpinWait.BackOffAfterMiss).Count(_ => SpinsFor(wait) > 0), 1, 10);
    }

    [Fact]
    public void Spin_SeveralOutstanding_DoesNotCheck()
    {
        var wait = NewWait();
        _arrivesAt = 1;
        Assert.Equal(0, SpinsFor(wait, outstanding: 2));
        for (var request = 0; request < ReplySpinWait.BackOffAfterConcurrency; request++)
        {
            Assert.Equal(0, SpinsFor(wait));
        }

        Assert.Equal(1, SpinsFor(wait));
    }

    private ReplySpinWait NewWait() => new(() => ++_checks >= _arrivesAt);

    private int SpinsFor(ReplySpinWait wait, int outstanding = 1)
    {
        _checks = 0;
        wait.Spin(outstanding);
        return _checks;
    }
}
