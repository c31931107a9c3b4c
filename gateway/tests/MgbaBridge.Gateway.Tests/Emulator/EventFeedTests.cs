using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Emulator;

public sealed class EventFeedTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Script_FoundByEventsOrRequests_IsFoundByBothAtOnce(bool byEvents)
    {
        var time = new ManualTime();
        var patient = new TransportOptions { SilenceTimeout = TimeSpan.FromMinutes(1), RequestTimeout = TimeSpan.FromMinutes(10), WaitTimeout = TimeSpan.FromMinutes(10) };
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = _ => FakeReply.Ok("1") });
        await using var client = await Clients.ReadyAsync(fake, patient, time);
        Assert.True(EventTopic.TryParse("script", out var script) & EventTopic.TryParse("frame", out var frame));
        using var subscription = client.Events.Join();
        Assert.Null((await client.Events.AddAsync(subscription, [script, frame], null, TestContext.Current.CancellationToken)).Failure);
        fake.Kill();
        Assert.Equal("script.lost", await NextAsync());
        await Eventually.Is(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(100));
            return client.Health.State == EmulatorState.ScriptMissing;
        });
        fake.Revive();
        if (byEvents)
        {
            client.Events.ConnectNow();
        }
        else
        {
            client.ConnectNow();
        }

        // the clock is stopped: no pause ends by itself
        Assert.Equal("script.connected", await NextAsync());
        var asked = client.SendAsync(Clients.ReadByte(0), default, TestContext.Current.CancellationToken).AsTask();
        await Eventually.Is(() => asked.IsCompleted);
        using var reply = await asked;
        Assert.Null(reply.Failure);

        async Task<string> NextAsync()
        {
            EmulatorEvent? next = null;
            await Eventually.Is(() => subscription.Waiting.TryRead(out next));
            return next!.Kind;
        }
    }

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
