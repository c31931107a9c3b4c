using System.Buffers;
using System.Globalization;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class ExchangeTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(1_000_000)]
    public async Task Replies_InPiecesOfAnySize_ArriveWhole(int chunk)
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { ChunkSize = chunk });
        await using var client = await Clients.ReadyAsync(fake);
        using var wrote = await client.SendAsync(new WriteMemory(Location.Bus(0x100), new ReadOnlySequence<byte>("<|END|>#1"u8.ToArray())), default, Cancelled);
        Assert.Null(wrote.Failure);
        using var cell = await client.SendAsync(new ReadCell(Location.Bus(0x100), CellWidth.Word), default, Cancelled);
        Assert.Equal(BitConverter.ToUInt32("<|EN"u8), ReadCell.Parse(cell));
        using var range = await client.SendAsync(new ReadMemory(Location.Bus(0x100), 9), default, Cancelled);
        Assert.Equal("<|END|>#1", Encoding.UTF8.GetString(range.Tail.Span));
        using var echo = await client.SendAsync(Clients.Echo(new string('ü', 3_000)), default, Cancelled);
        Assert.Equal(new string('ü', 3_000), Encoding.UTF8.GetString(echo.Tail.Span));
    }

    [Fact]
    public async Task Transfers_OfAStatesSize_TravelOnTheirOwnConnection()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake);
        var state = new byte[400_000];
        Random.Shared.NextBytes(state);
        using var up = await client.SendAsync(new Echo(new ReadOnlySequence<byte>(state)), default, Cancelled);
        Assert.Equal(state, up.Tail.ToArray());
        using var small = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        var connections = fake.Requests.Where(request => request.Command is "echo" or "memory.read8").Select(request => request.Connection);
        Assert.Equal(2, connections.Distinct().Count());
    }

    [Fact]
    public async Task Requests_ByTheThousand_StayOnOneConnectionAndEachGetsItsOwnReply()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake);
        await Parallel.ForEachAsync(Enumerable.Range(0, 5_000), Cancelled, async (number, cancelled) =>
        {
            var text = $"number {number}";
            using var reply = await client.SendAsync(Clients.Echo(text), default, cancelled);
            Assert.Equal(text, Encoding.UTF8.GetString(reply.Tail.Span));
        });
        Assert.Single(fake.Requests.Where(request => request.Command == "echo").Select(request => request.Connection).Distinct());
    }

    [Fact]
    public async Task Requests_BeyondThePlaces_WaitInOrder()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, Clients.Patient with { MaxInFlight = 1, MinConnections = 1, MaxConnections = 1 });
        fake.Pause();
        var asked = Enumerable.Range(0, 20).Select(address => client.SendAsync(Clients.ReadByte(address)).AsTask()).ToArray();
        Assert.Equal(19, client.Waiting);
        fake.Resume();
        await Task.WhenAll(asked);
        Assert.Equal(Enumerable.Range(0, 20).Select(address => (long)address), fake.Requests.Where(request => request.Command == "memory.read8").Select(request => request.Number(0)));
    }

    [Fact]
    public async Task Requests_ThatWaitWhileOthersAreAnswered_KeepTheirOrder()
    {
        const int Requests = 20_000;
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(
            fake, Clients.Patient with { MaxInFlight = 2, MaxWaiting = Requests, MinConnections = 1, MaxConnections = 1 });
        var asked = Enumerable.Range(0, Requests).Select(address => client.SendAsync(Clients.ReadByte(address)).AsTask()).ToArray();
        await Task.WhenAll(asked);
        Assert.Equal(Enumerable.Range(0, Requests).Select(address => (long)address), fake.Requests.Where(request => request.Command == "memory.read8").Select(request => request.Number(0)));
    }

    [Fact]
    public async Task Connections_OpenedForABurst_CloseWhenNotNeededAnyMore()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake, Clients.Patient with { MaxInFlight = 1, MinConnections = 1, MaxConnections = 4, IdleTimeout = TimeSpan.FromSeconds(1) });
        fake.Behaviour = new FakeBehaviour { Delay = TimeSpan.FromMilliseconds(20) };
        var asked = new List<Task<Reply>>();
        await Eventually.Is(() =>
        {
            if (asked.Count(static one => !one.IsCompleted) < 100)
            {
                asked.Add(client.SendAsync(Clients.ReadByte(0), default, Cancelled).AsTask());
            }

            return client.Connections > 2;
        });
        foreach (var reply in await Task.WhenAll(asked))
        {
            Assert.Null(reply.Failure);
            reply.Dispose();
        }

        await Eventually.Is(() => client.Connections == 1 && fake.Connected == 1);
        using var after = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Null(after.Failure);
    }

    [Fact]
    public async Task Caller_WhoLeaves_GetsAnExceptionAndItsNeighboursTheirReplies()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake);
        fake.Pause();
        using var leaving = new CancellationTokenSource();
        var read = client.SendAsync(Clients.ReadByte(1), default, leaving.Token).AsTask();
        var write = client.SendAsync(Clients.WriteByte(2, 2), default, leaving.Token).AsTask();
        var neighbour = client.SendAsync(Clients.ReadByte(3), default, Cancelled).AsTask();
        await leaving.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => write);
        fake.Resume();
        using var reply = await neighbour;
        Assert.Null(reply.Failure);
        var taken = Assert.Single(fake.Requests, request => request.Command == "memory.write8");
        await Eventually.Is(() => fake.Requests.Any(request => request.Command == "cancel" && request.Number(0) == taken.Id));
        Assert.Equal(2, fake.Accepted);
        using var after = await client.SendAsync(Clients.ReadByte(4), default, Cancelled);
        Assert.Null(after.Failure);
        await Eventually.Is(() => client.InFlight == 0);
    }

    [Theory]
    [InlineData(65_540, 0, null)]
    [InlineData(70_000, 0, null)]
    [InlineData(70_000, 500, 7)]
    [InlineData(1_000_000, 100_000, 1_000)]
    [InlineData(10, 70_000, null)]
    public async Task Reply_ThatIsTooLarge_IsSkippedAndOnlyItsRequestFails(int head, int tail, int? chunk)
    {
        await using var fake = FakeScript.Start(new FakeBehaviour
        {
            ChunkSize = chunk,
            Answer = request => request.Command == "memory.read8" ? new FakeReply("ok " + new string('<', head), tail == 0 ? null : new byte[tail]) : FakeReply.Ok("5"),
        });
        await using var client = await Clients.ReadyAsync(fake, Clients.Patient with
        {
            MaxAttempts = 1,
            MaxReplyTail = 65_536,
            MinConnections = 1,
            MaxConnections = 1,
        });
        var first = client.SendAsync(Clients.WriteByte(1, 1), default, Cancelled).AsTask();
        var large = client.SendAsync(Clients.ReadByte(2), default, Cancelled).AsTask();
        var last = client.SendAsync(Clients.WriteByte(3, 3), default, Cancelled).AsTask();
        using var reply = await large;
        Assert.Equal(CommandFailureKind.ReplyTooLarge, reply.Failure?.Kind);
        using var before = await first;
        using var after = await last;
        Assert.Null(before.Failure);
        Assert.Null(after.Failure);
        Assert.Equal(1, fake.Accepted);
        await Eventually.Is(() => client.InFlight == 0);
    }

    [Fact]
    public async Task Caller_WhoHasLeftAlready_SendsNothing()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => client.SendAsync(Clients.WriteByte(2, 2), default, new CancellationToken(true)).AsTask());
        using var after = await client.SendAsync(Clients.ReadByte(2), default, Cancelled);
        Assert.DoesNotContain(fake.Requests, request => request.Command == "memory.write8");
    }

    [Fact]
    public async Task Effects_OneAfterTheOther_AcknowledgeWhatCameBack()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake);
        for (var turn = 0; turn < 3; turn++)
        {
            using var reply = await client.SendAsync(Clients.WriteByte(turn, 1), default, Cancelled);
        }

        var writes = fake.Requests.Where(request => request.Command == "memory.write8").ToArray();
        Assert.Equal(writes[1].Id, long.Parse(writes[2].Options["ack"], CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task Arguments_LongerThanAHead_AreRefusedBeforeTheyLeave()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Hello = "head=40 tail=100" });
        await using var client = await Clients.ReadyAsync(fake);
        using var tooLong = await client.SendAsync(new Echo(new ReadOnlySequence<byte>(new byte[101])), default, Cancelled);
        Assert.Equal("tail-too-long", tooLong.Failure?.CodeName);
        using var head = await client.SendAsync(new ReadCell(new Location(new string('w', 32), long.MaxValue), CellWidth.Byte), default, Cancelled);
        Assert.Equal("head-too-long", head.Failure?.CodeName);
        using var fine = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Null(fine.Failure);
    }

    [Fact]
    public async Task Game_Changing_KeepsTheConnectionsAndShowsAnotherEpoch()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake);
        using var before = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        fake.ChangeGame();
        using var after = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.NotEqual(before.Epoch, after.Epoch);
        Assert.Equal(new Epoch(fake.Epoch), after.Epoch);
        Assert.Equal(2, fake.Accepted);
    }

    [Fact]
    public async Task Draining_WithARequestUnderWay_LetsItFinish()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake);
        fake.Pause();
        var asked = client.SendAsync(Clients.ReadByte(0), default, Cancelled).AsTask();
        var drained = client.DrainAsync(Cancelled);
        Assert.False(drained.IsCompleted);
        fake.Resume();
        using var reply = await asked;
        Assert.Null(reply.Failure);
        await drained;
        await Eventually.Is(() => fake.Connected == 0);
    }

    [Theory]
    [InlineData(3, false)]
    [InlineData(3, true)]
    [InlineData(30, false)]
    [InlineData(30, true)]
    public async Task Draining_ThatIsCutShort_TakesBackWhatIsLeftAndReadsOnUntilTheScriptCloses(int left, bool byDisposing)
    {
        await using var fake = FakeScript.Start();
        var client = await Clients.ReadyAsync(fake);
        fake.Pause();
        var asked = Enumerable.Range(0, left).Select(_ => client.SendAsync(Clients.WriteByte(0, 1), default, Cancelled).AsTask()).ToArray();
        await Eventually.Is(() => client.InFlight >= left);
        var ended = byDisposing ? client.DisposeAsync().AsTask() : client.DrainAsync(new CancellationToken(canceled: true));
        foreach (var one in asked)
        {
            using var reply = await one;
            Assert.Equal(CommandFailureKind.Indeterminate, reply.Failure?.Kind);
        }

        // only now the script gets to answer, as one whose frame took long: somebody still reads it
        Assert.False(ended.IsCompleted);
        fake.Resume();
        await ended;
        await Eventually.Is(() => fake.Connected == 0);
        Assert.Equal(left, fake.Requests.Count(request => request.Command == "cancel"));
        Assert.Equal(0, fake.Broken);
        await client.DisposeAsync();
    }

    [Fact]
    public async Task Draining_InFrontOfAScriptThatNeverReads_EndsAllTheSame()
    {
        await using var fake = FakeScript.Start();
        var client = await Clients.ReadyAsync(fake, Clients.Patient with { CloseTimeout = TimeSpan.FromMilliseconds(20) });
        fake.Pause();
        var asked = client.SendAsync(Clients.ReadByte(0), default, Cancelled).AsTask();
        await client.DrainAsync(new CancellationToken(canceled: true));
        using var reply = await asked;
        Assert.NotNull(reply.Failure);
        await client.DisposeAsync();
    }
}
