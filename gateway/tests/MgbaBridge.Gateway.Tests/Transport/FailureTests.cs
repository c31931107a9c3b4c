using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Transport;

/// <summary>Each row of the failure table, brought about by a peer that misbehaves in that way.</summary>
public sealed class FailureTests
{
    private static readonly TransportOptions OneAttempt = Clients.Patient with { MaxAttempts = 1 };

    public static TheoryData<CommandFailureKind> All => [.. Enum.GetValues<CommandFailureKind>()];

    [Theory]
    [MemberData(nameof(All))]
    public async Task Request_WhenThisGoesWrong_FailsInItsDescriptor(CommandFailureKind failure)
    {
        var report = await (failure switch
        {
            CommandFailureKind.Overloaded => OverloadedAsync(),
            CommandFailureKind.ConnectFailed => ConnectFailedAsync(),
            CommandFailureKind.ConnectTimedOut => ConnectTimedOutAsync(),
            CommandFailureKind.NotOurs => Misbehaving(new FakeBehaviour { InsteadOfHello = "HTTP/1.1 400 Bad Request\r\n\r\n"u8.ToArray() }),
            CommandFailureKind.WrongVersion => Misbehaving(new FakeBehaviour { RefuseHello = "error version \"this script speaks 3: update the gateway\"" }),
            CommandFailureKind.Silent => SilentAsync(),
            CommandFailureKind.ConnectionLost => Misbehaving(new FakeBehaviour { CloseAfterBytes = 5 }),
            CommandFailureKind.ReplyTimedOut => ReplyTimedOutAsync(),
            CommandFailureKind.Indeterminate => IndeterminateAsync(),
            CommandFailureKind.ReplyTooLarge => Misbehaving(new FakeBehaviour { Answer = _ => FakeReply.Bytes(new byte[70_000]) }),
            CommandFailureKind.Leased => Misbehaving(new FakeBehaviour { Answer = _ => FakeReply.Refuse("leased", "bot has it for 2 s") }),
            CommandFailureKind.GuardFailed => Misbehaving(new FakeBehaviour { Answer = _ => FakeReply.Refuse("guard-failed", "it is 5", "item=1") }),
            CommandFailureKind.Rejected => Misbehaving(new FakeBehaviour { Answer = _ => FakeReply.Refuse("bad-address", "outside") }),
            CommandFailureKind.LeaseExpired => LeaseExpiredAsync(),
            CommandFailureKind.SaveFailed => Misbehaving(new FakeBehaviour { Answer = _ => FakeReply.Refuse("save-failed", "the disk is full") }),
            _ => throw new InvalidOperationException($"{failure} has no test"),
        });

        Assert.Equal(failure, report.Kind);
        Assert.NotEmpty(report.Detail);
    }

    [Theory]
    [InlineData(false, CommandFailureKind.Indeterminate)]
    [InlineData(true, CommandFailureKind.ReplyTimedOut)]
    public async Task Effect_ThatWasSentBeforeTheSilence_MayHaveRun(bool outlasts, CommandFailureKind expected)
    {
        var time = new ManualTime();
        var ran = 0;
        await using var fake = FakeScript.Start();
        fake.Behaviour = new FakeBehaviour { Answer = request => request.Command == "memory.write8" && ++ran > 0 ? Stall(fake) : FakeReply.Ok() };
        await using var client = await Clients.ReadyAsync(fake, time: time);
        var asked = client.SendAsync(Clients.WriteByte(0, 1), new RequestOptions { OutlastsSilence = outlasts }, TestContext.Current.CancellationToken).AsTask();
        await Eventually.Is(() => Volatile.Read(ref ran) == 1);
        time.Advance(TimeSpan.FromMilliseconds(1_100));
        Assert.False(outlasts && asked.IsCompleted);
        time.Advance(outlasts ? TimeSpan.FromSeconds(3) : TimeSpan.Zero);
        using var reply = await asked;
        Assert.Equal((expected, true), (reply.Failure?.Kind ?? default, reply.Failure?.MayHaveRun ?? false));
        Assert.Equal(1, ran);
    }

    /// <summary>An emulator that gets no processor for a moment: what it did in it is known afterwards, also of a request that ends by the silence.</summary>
    [Fact]
    public async Task Effect_OfAScriptThatWasSilentForAMoment_IsAnsweredAfterwards()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, time: time);
        fake.Pause();
        var written = client.SendAsync(Clients.WriteByte(0, 1), default, TestContext.Current.CancellationToken).AsTask();
        var read = client.SendAsync(Clients.ReadByte(0), default, TestContext.Current.CancellationToken).AsTask();
        time.Advance(TimeSpan.FromMilliseconds(800));
        using (var silent = await read)
        {
            Assert.Equal(CommandFailureKind.Silent, silent.Failure?.Kind);
        }

        Assert.Equal((EmulatorState.Silent, false), (client.Health.State, written.IsCompleted));
        fake.Resume();
        using var reply = await written;
        Assert.Null(reply.Failure);
        Assert.Single(fake.Memory.Writes);
    }

    /// <summary>A search in the history takes minutes, and an emulator on a busy machine gets no processor for a second now and then.</summary>
    [Theory]
    [InlineData(true, null)]
    [InlineData(false, CommandFailureKind.Indeterminate)]
    public async Task Request_ThatOutlastsSilence_WaitsForItsReply(bool outlasts, CommandFailureKind? expected)
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = static _ => FakeReply.Ok() });
        await using var client = await Clients.ReadyAsync(fake, time: time);
        fake.Pause();
        var options = new RequestOptions { Timeout = TimeSpan.FromMinutes(10), OutlastsSilence = outlasts };
        var back = client.SendAsync(new GoBack("point", 1, null), options, TestContext.Current.CancellationToken).AsTask();
        time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(EmulatorState.Silent, client.Health.State);
        if (expected is not null)
        {
            await back;
        }

        fake.Resume();
        using var reply = await back;
        Assert.Equal(expected, reply.Failure?.Kind);
    }

    // it has run, and then the game stops before the reply
    private static FakeReply? Stall(FakeScript fake)
    {
        fake.Pause();
        return null;
    }

    private static async Task<CommandFailure> Misbehaving(FakeBehaviour behaviour)
    {
        await using var fake = FakeScript.Start(behaviour);
        await using var client = Clients.To(fake, OneAttempt with { MaxReplyTail = 65_536 });
        using var reply = await client.SendAsync(Clients.Echo("hello"));
        return reply.Failure!;
    }

    [Fact]
    public async Task Effect_AnsweredAfterTheLeaseOfItsHost_MayHaveRunAndReadsAreAnswered()
    {
        var time = new ManualTime();
        var lease = new HostLease(time);
        lease.Renew(time.GetTimestamp(), TimeSpan.FromSeconds(10));
        await using var fake = FakeScript.Start();
        fake.Behaviour = new FakeBehaviour
        {
            Answer = request =>
            {
                time.Advance(request.Command == "memory.write8" ? TimeSpan.FromSeconds(10) : TimeSpan.Zero);
                return request.Command == "memory.write8" ? FakeReply.Ok() : FakeReply.Ok("1");
            },
        };
        await using var client = Clients.To(fake, lease: lease);
        using var late = await client.SendAsync(Clients.WriteByte(0, 1), default, TestContext.Current.CancellationToken);
        Assert.Equal((CommandFailureKind.LeaseExpired, true), (late.Failure!.Kind, late.Failure.MayHaveRun));
        using var refused = await client.SendAsync(Clients.WriteByte(0, 1), default, TestContext.Current.CancellationToken);
        Assert.Equal((CommandFailureKind.LeaseExpired, false), (refused.Failure!.Kind, refused.Failure.MayHaveRun));
        using var read = await client.SendAsync(Clients.ReadByte(0), default, TestContext.Current.CancellationToken);
        Assert.Null(read.Failure);
        lease.Renew(time.GetTimestamp(), TimeSpan.FromSeconds(30));
        using var again = await client.SendAsync(Clients.WriteByte(0, 1), default, TestContext.Current.CancellationToken);
        Assert.Null(again.Failure);
    }

    [Fact]
    public async Task Effect_OnAGameThatItsHostGivesBack_DidNotRunAndIsToBeRepeated()
    {
        var lease = new HostLease(TimeProvider.System);
        lease.Renew(TimeProvider.System.GetTimestamp(), TimeSpan.FromMinutes(10));
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = _ => FakeReply.Refuse("leased", "another holder has the lockstep lease", $"holder=\"{Holder.Drain.Name}\"") });
        await using var client = Clients.To(fake, OneAttempt, lease: lease);
        using var reply = await client.SendAsync(Clients.WriteByte(0, 1), default, TestContext.Current.CancellationToken);
        Assert.Equal((CommandFailureKind.LeaseExpired, false), (reply.Failure!.Kind, reply.Failure.MayHaveRun));
        Assert.Contains("continues on another", reply.Failure.Detail, StringComparison.Ordinal);
    }

    private static async Task<CommandFailure> LeaseExpiredAsync()
    {
        await using var fake = FakeScript.Start();
        await using var client = Clients.To(fake, lease: new HostLease(TimeProvider.System));
        using var reply = await client.SendAsync(Clients.WriteByte(0, 1));
        return reply.Failure!;
    }

    private static async Task<CommandFailure> OverloadedAsync()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = _ => null });
        await using var client = await Clients.ReadyAsync(fake, Clients.Patient with { MaxInFlight = 1, MaxWaiting = 0, MinConnections = 1, MaxConnections = 1 });
        var first = client.SendAsync(Clients.ReadByte(0)).AsTask();
        using var second = await client.SendAsync(Clients.ReadByte(0));
        Assert.False(first.IsCompleted);
        return second.Failure!;
    }

    private static async Task<CommandFailure> ConnectFailedAsync()
    {
        await using var client = Clients.To(Clients.FreePort());
        using var reply = await client.SendAsync(Clients.ReadByte(0));
        return reply.Failure!;
    }

    private static async Task<CommandFailure> ConnectTimedOutAsync()
    {
        // a listener that never accepts, with its queue full: further connections are not answered
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        var port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        var fillers = Enumerable.Range(0, 8).Select(_ => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = false }).ToArray();
        foreach (var filler in fillers)
        {
            _ = filler.ConnectAsync(IPAddress.Loopback, port).ContinueWith(task => task.Exception, TaskScheduler.Default);
        }

        await using var client = Clients.To(port, OneAttempt with { ConnectTimeout = TimeSpan.FromMilliseconds(100) });
        using var reply = await client.SendAsync(Clients.ReadByte(0));
        Array.ForEach(fillers, filler => filler.Dispose());
        return reply.Failure!;
    }

    private static async Task<CommandFailure> SilentAsync()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, time: time);
        fake.Pause();
        var asked = client.SendAsync(Clients.ReadByte(0)).AsTask();
        time.Advance(TimeSpan.FromMilliseconds(400));
        using var reply = await asked;
        return reply.Failure!;
    }

    private static async Task<CommandFailure> ReplyTimedOutAsync()
    {
        var time = new ManualTime();
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = _ => null });
        await using var client = await Clients.ReadyAsync(fake, time: time);
        var asked = client.SendAsync(Clients.ReadByte(0), new RequestOptions { Timeout = TimeSpan.FromMilliseconds(200) }).AsTask();
        time.Advance(TimeSpan.FromMilliseconds(230));
        using var reply = await asked;
        await Eventually.Is(() => fake.Requests.Any(request => request.Command == "cancel"));
        return reply.Failure!;
    }

    private static async Task<CommandFailure> IndeterminateAsync()
    {
        var taken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var fake = FakeScript.Start(new FakeBehaviour
        {
            Answer = request =>
            {
                if (request.Command == "memory.write8")
                {
                    taken.TrySetResult();
                }

                return null;
            },
        });
        await using var client = await Clients.ReadyAsync(fake);
        var asked = client.SendAsync(Clients.WriteByte(0, 1)).AsTask();
        await taken.Task;
        fake.Behaviour = new FakeBehaviour();
        fake.Reload();
        using var reply = await asked;
        Assert.Empty(fake.Memory.Writes);
        return reply.Failure!;
    }
}
