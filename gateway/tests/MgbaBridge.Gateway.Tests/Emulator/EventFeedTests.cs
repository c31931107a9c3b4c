using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Tests.Support;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Tests.Emulator;

public sealed class EventFeedTests
{
    [Fact]
    public async Task Subscribers_WhoComeAndGo_LeaveNoTimersAndOneUnwatch()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = _ => FakeReply.Ok() });
        var patient = new TransportOptions { SilenceTimeout = TimeSpan.FromMinutes(1), RequestTimeout = TimeSpan.FromMinutes(10) };
        await using var client = await Clients.ReadyAsync(fake, patient, time);
        Assert.True(EventTopic.TryParse("frame", out var topic));
        await ComeAndGoAsync();
        await Eventually.Is(() => fake.Connected == 3);
        var before = time.Timers;
        for (var turn = 0; turn < 100; turn++)
        {
            await ComeAndGoAsync();
        }

        Assert.Equal(before, time.Timers);
        Assert.Equal(1, client.Events.Watches);
        time.Advance(TimeSpan.FromSeconds(31));
        await Eventually.Is(() => fake.Requests.Any(request => request.Command == "unwatch"));
        Assert.Equal(0, client.Events.Watches);

        async Task ComeAndGoAsync()
        {
            using var subscription = client.Events.Join();
            Assert.Null((await client.Events.AddAsync(subscription, [topic], null, TestContext.Current.CancellationToken)).Failure);
        }
    }
}
