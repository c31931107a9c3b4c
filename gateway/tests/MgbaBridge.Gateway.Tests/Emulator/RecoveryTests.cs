using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Emulator;

public sealed class RecoveryTests
{
    private static readonly TransportOptions Persistent = Clients.Patient with { MaxAttempts = 10, MaxConnectDelay = TimeSpan.FromMilliseconds(20) };

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Emulator_KilledAndStartedAgain_IsReadyWithoutHelp()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake);
        for (var turn = 0; turn < 3; turn++)
        {
            fake.Kill();
            await Eventually.Is(() => client.Health.State == EmulatorState.ScriptMissing);
            using (var down = await client.SendAsync(Clients.ReadByte(0), default, Cancelled))
            {
                Assert.Equal(CommandFailureKind.ConnectFailed, down.Failure?.Kind);
            }

            fake.Revive();
            await Eventually.Is(() => client.Health.State == EmulatorState.Ready);
            using var up = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
            Assert.Null(up.Failure);
        }
    }

    [Fact]
    public async Task ConnectNow_DuringThePauseAfterFailedAttempts_ConnectsAtOnce()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start();
        fake.Kill();
        await using var client = Clients.To(fake, time: time);
        await Eventually.Is(() =>
        {
            time.Advance(TimeSpan.FromMilliseconds(100));
            return client.Health.State == EmulatorState.ScriptMissing;
        });
        fake.Revive();
        client.ConnectNow();
        await Eventually.Is(() => client.Health.State == EmulatorState.Ready); // the clock is stopped
        client.ConnectNow(); // nothing is to be opened
    }

    [Fact]
    public async Task Attempts_ThatGoOnFailing_AreReportedFromTheThirdOn()
    {
        var time = new ManualTime();
        var (attempts, reports) = (0, 0);
        using var stop = new CancellationTokenSource();
        var opening = new ConnectBackOff(new TransportOptions(), time, () => reports++).OpenAsync(
            _ =>
            {
                attempts++;
                return ValueTask.FromResult(OpenOutcome.Failed(FailureText.Stopping()));
            },
            stop.Token).AsTask();
        await Eventually.Is(() =>
        {
            time.Advance(TimeSpan.FromSeconds(1));
            return Volatile.Read(ref attempts) > 5;
        });
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => opening);
        Assert.Equal(attempts - 2, reports);
    }

    [Fact]
    public async Task Attempt_UnderWayAtConnectNow_IsNotReportedWhenItFails()
    {
        var reports = 0;
        var attempts = 0;
        ConnectBackOff? backOff = null;
        backOff = new ConnectBackOff(new TransportOptions(), new ManualTime(), () => reports++);
        using var stop = new CancellationTokenSource();
        var opening = backOff.OpenAsync(
            _ =>
            {
                // the clock is stopped: only EndPause leads to the next attempt
                if (++attempts <= 5)
                {
                    backOff.EndPause();
                }

                return ValueTask.FromResult(OpenOutcome.Failed(FailureText.Stopping()));
            },
            stop.Token).AsTask();
        await Eventually.Is(() => Volatile.Read(ref attempts) == 6);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => opening);
        Assert.Equal(0, reports);
    }

    [Fact]
    public async Task Script_Reloaded_CostsAReadNothingButTime()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, Persistent);
        fake.Pause();
        var asked = client.SendAsync(Clients.ReadByte(7), default, Cancelled).AsTask();
        fake.Reload();
        fake.Resume();
        using var reply = await asked;
        Assert.Null(reply.Failure);
    }

    [Fact]
    public async Task Game_PausedBeforeHello_IsSilentAndReadyWhenItGoesOn()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start();
        fake.Pause();
        await using var client = Clients.To(fake, time: time);
        await Eventually.Is(() => fake.Requests.Any(request => request.Command == "hello"));
        time.Advance(TimeSpan.FromMilliseconds(400));
        Assert.Equal(EmulatorState.Silent, client.Health.State);
        using (var silent = await client.SendAsync(Clients.ReadByte(0), default, Cancelled))
        {
            Assert.Equal(CommandFailureKind.Silent, silent.Failure?.Kind);
        }

        fake.Resume();
        await Eventually.Is(() => client.Health.State == EmulatorState.Ready && client.Connections == 2);
        Assert.Equal(2, fake.Accepted);
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Null(reply.Failure);
    }

    [Fact]
    public async Task Game_FoundPausedByOneRequest_IsSilentAsAWholeBeforeTheNextHeartbeat()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, new TransportOptions { HeartbeatInterval = TimeSpan.FromMinutes(10) }, time);
        fake.Pause();
        var asked = client.SendAsync(Clients.ReadByte(0), default, Cancelled).AsTask();
        time.Advance(TimeSpan.FromMilliseconds(300));
        using var failed = await asked;
        Assert.Equal(CommandFailureKind.Silent, failed.Failure?.Kind);
        time.Advance(TimeSpan.FromMilliseconds(300));
        Assert.Equal(EmulatorState.Silent, client.Health.State);
    }

    [Fact]
    public async Task Game_Paused_FailsAtOnceCancelsWhatWaitedAndGoesOnWithTheSameConnections()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, time: time);
        fake.Pause();
        var waiting = client.SendAsync(Clients.WriteByte(0, 1), default, Cancelled).AsTask();
        time.Advance(TimeSpan.FromSeconds(2));
        using (var failed = await waiting)
        {
            Assert.Equal(CommandFailureKind.Indeterminate, failed.Failure?.Kind);
        }

        Assert.Equal(EmulatorState.Silent, client.Health.State);
        var next = client.SendAsync(Clients.ReadByte(0), default, Cancelled).AsTask();
        Assert.True(next.IsCompleted);
        Assert.Equal(CommandFailureKind.Silent, (await next).Failure?.Kind);
        fake.Resume();
        await Eventually.Is(() => client.Health.State == EmulatorState.Ready);
        await Eventually.Is(() => fake.Requests.Any(request => request.Command == "cancel"));
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Null(reply.Failure);
        Assert.Equal(2, fake.Accepted);
    }

    [Fact]
    public async Task Reply_ThatIsNotReadYet_IsNoSilence()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, new TransportOptions { MinConnections = 1, MaxConnections = 1 }, time);
        using var over = new ManualResetEventSlim();
        var working = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        fake.Pause();
        var first = Task.Run(
            async () =>
            {
                using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);

                // here, in the thread that reads, a caller works for long
                working.SetResult();
                over.Wait(Cancelled);
                return reply.Failure;
            },
            Cancelled);
        await Eventually.Is(() => fake.Requests.Any(request => request.Command == "memory.read8"));
        var second = client.SendAsync(Clients.ReadByte(1), default, Cancelled).AsTask();
        var third = client.SendAsync(Clients.ReadByte(2), default, Cancelled).AsTask();
        await Eventually.Is(() => client.InFlight == 3);
        fake.ResumeForOne();
        await working.Task;

        // that thread may be the one that all sockets of this process need: what the fake reads now has to be there already
        fake.Resume();

        // the fake takes one request after the other: it has answered the second
        await Eventually.Is(() => fake.Requests.Count(request => request.Command == "memory.read8") == 3);
        time.Advance(TimeSpan.FromMilliseconds(400));
        over.Set();
        Assert.Null(await first);
        Assert.All(new[] { await second, await third }, reply => Assert.Null(reply.Failure));
        Assert.Equal(EmulatorState.Ready, client.Health.State);
    }

    [Fact]
    public async Task Announcement_BeforeSilence_IsToldAsItsCause()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, time: time);
        await fake.AnnounceAsync("game.closed");
        await Eventually.Is(() => client.Health.LastAnnounced == "game.closed");
        fake.Pause();

        // the other connection's announcement may still be on its way, and is a sign of life
        await Eventually.Is(() =>
        {
            time.Advance(TimeSpan.FromSeconds(2));
            return client.Health.State == EmulatorState.Silent;
        });
        Assert.Contains("game.closed", client.Health.Detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Garbage_InTheMiddle_EndsTheConnectionAndNotTheGateway()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, Clients.Patient with { MaxAttempts = 1 });
        fake.Behaviour = new FakeBehaviour { Garbage = "no message at all<|END|>"u8.ToArray() };
        using (var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled))
        {
            Assert.Equal(CommandFailureKind.ConnectionLost, reply.Failure?.Kind);
        }

        fake.Behaviour = new FakeBehaviour();
        await Eventually.Is(() => client.Connections == 2);
        using var after = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Null(after.Failure);
    }

    [Fact]
    public async Task Reply_WithAnIdNobodyAsked_EndsTheConnection()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { WrongIds = true });
        await using var client = Clients.To(fake, Clients.Patient with { MaxAttempts = 1 });
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Equal(CommandFailureKind.ConnectionLost, reply.Failure?.Kind);
        Assert.Contains("not sent", reply.Failure?.Detail, StringComparison.Ordinal);
    }
}
