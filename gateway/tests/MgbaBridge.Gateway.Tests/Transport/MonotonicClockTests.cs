using MgbaBridge.Client.Transport;
using Microsoft.Extensions.Time.Testing;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class MonotonicClockTests
{
    [Fact]
    public void Clock_OfAProcessThatWasPaused_LeavesThePauseOut()
    {
        var time = new FakeTimeProvider();
        var clock = new MonotonicClock(time);
        var began = clock.Check();
        for (var check = 0; check < 40; check++)
        {
            time.Advance(TimeSpan.FromMilliseconds(25));
            clock.Check();
        }

        Assert.Equal(TimeSpan.FromSeconds(1), clock.Between(began, clock.Now));
        time.Advance(TimeSpan.FromHours(8));
        var asked = clock.Now; // by a request before the pause is noticed
        Assert.Equal(TimeSpan.FromSeconds(1.1), clock.Between(began, clock.Check()));
        Assert.Equal(TimeSpan.FromSeconds(1.1), clock.Between(began, clock.Now));
        Assert.Equal(TimeSpan.Zero, clock.Between(asked, clock.Now));
    }
}
