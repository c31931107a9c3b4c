using System.Diagnostics;
using System.Security.Cryptography;
using MgbaBridge.Fleet.Registry;
using Npgsql;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>States whose bytes are in a folder. tests/fleet/test_states.py tests stores that are full, gone or do not answer.</summary>
public sealed class StateFolderTests(PostgresServer server) : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("mgba-bridge-states-");

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Save_WithAStore_LeavesOnlyTheIndexInTheDatabase()
    {
        await using var fleet = await StartAsync();
        var host = await fleet.AddHostAsync();
        var copy = await fleet.PlaceAsync("game", host);
        for (var frame = 1; frame <= 5; frame++)
        {
            Assert.True(await fleet.SaveAsync(host, copy, State(frame)));
        }

        Assert.Equal(0, await fleet.CountAsync("mgba_fleet.blobs"));
        Assert.Equal(5, Files().Count()); // all of them are younger than StateHistory
        Assert.Equal([5, 4, 3, 2, 1], await fleet.FramesAsync("game"));
        Assert.Equal(State(5).Bytes, (await fleet.States.NewestAsync("game", Cancelled).FirstAsync(Cancelled)).State!.Bytes);
        Assert.DoesNotContain(Files(), file => file.Name.Contains('.', StringComparison.Ordinal));
    }

    /// <summary>The log of a durable database, which is also what a standby receives.</summary>
    [Fact]
    public async Task Save_OfStatesOf200Kilobytes_WithAStore_WritesLittleToTheLogOfTheDatabase()
    {
        const int Count = 50;
        await using var own = new PostgresServer { IsDurable = true };
        var logs = new List<long>();
        foreach (var store in new[] { null, Address })
        {
            await using var fleet = await FleetWorld.StartAsync(own, options => options with { StateStore = store });
            await fleet.States.MakeStoreAsync(Cancelled);
            var host = await fleet.AddHostAsync();
            var copy = await fleet.PlaceAsync("game", host);
            using var statements = new Statements($"Database={new NpgsqlConnectionStringBuilder(fleet.Options.Database).Database}");
            var before = await LogAsync(fleet);
            var watch = Stopwatch.StartNew();
            foreach (var frame in Enumerable.Range(1, Count))
            {
                Assert.True(await fleet.SaveAsync(host, copy, new SessionState(RandomNumberGenerator.GetBytes(200_000), "{}", frame))); // pictures do not get smaller either
            }

            var took = watch.Elapsed / Count;
            logs.Add((await LogAsync(fleet) - before) / Count);
            watch.Restart();
            Assert.Equal(Count, (await fleet.States.NewestAsync("game", Cancelled).FirstAsync(Cancelled)).State!.Frame);
            TestContext.Current.SendDiagnosticMessage($"{store}: {logs[^1]} bytes of the log and {(statements.All.Count - 2) / (double)Count} statements for each state; stored in {took.TotalMilliseconds:0.0} ms, restored in {watch.Elapsed.TotalMilliseconds:0.0} ms");
        }

        Assert.True(logs[0] > 200_000 && logs[1] < 10_000, string.Join(' ', logs));

        static async Task<long> LogAsync(FleetWorld fleet) => (await fleet.Database.QueryAsync("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn", static row => (long)row.GetDecimal(0), Cancelled))[0];
    }

    [Fact]
    public async Task Save_OfAFormerHost_ReachesTheFolderButNotTheIndex()
    {
        await using var fleet = await StartAsync();
        var (first, second) = (await fleet.AddHostAsync(), await fleet.AddHostAsync(capacity: 0));
        var copy = await fleet.PlaceAsync("game", first);
        Assert.True(await fleet.SaveAsync(first, copy, State(1)));
        await fleet.LoseAsync(first, second);
        Assert.False(await fleet.SaveAsync(first, copy, State(2)));
        Assert.Equal([1], await fleet.FramesAsync("game"));
        Assert.Equal(2, Files().Count());
        MakeOld(Files());
        await SweepAsync(fleet);
        Assert.Single(Files()); // what the former host left is gone
        Assert.Equal([1], await fleet.FramesAsync("game"));
    }

    /// <summary>A database that is restored from a backup as old as StateHistory finds its states: they are in the index, and in the folder, for so long.</summary>
    [Fact]
    public async Task Rows_OfReplacedStates_StayForTheHistory()
    {
        await using var fleet = await StartAsync();
        var host = await fleet.AddHostAsync();
        var copy = await fleet.PlaceAsync("game", host);
        foreach (var frame in Enumerable.Range(1, 10))
        {
            Assert.True(await fleet.SaveAsync(host, copy, State(frame)));
            await fleet.AdvanceAsync(fleet.Options.StateHistory / 4);
            await fleet.Hosts.RenewAsync(host, Cancelled);
        }

        // of 10, the last four are younger than the history, and three more were the newest ones when it began
        Assert.Equal(4 + fleet.Options.KeptStates, await fleet.CountAsync("mgba_fleet.states"));
        MakeOld(Files());
        await SweepAsync(fleet);
        Assert.Equal(4 + fleet.Options.KeptStates, Files().Count());
        await fleet.RunAsync("delete from mgba_fleet.sessions");
        await SweepAsync(fleet);
        Assert.Empty(Files());
    }

    /// <summary>Hosts store equal states and forget them, while all that is unused is deleted without pause: what the index has is always there.</summary>
    [Fact]
    public async Task Sweep_WhileHostsStoreTheSameStates_DeletesNoneThatTheIndexHas()
    {
        await using var fleet = await StartAsync();
        var host = await fleet.AddHostAsync();
        var copies = new List<SessionCopy>();
        foreach (var number in Enumerable.Range(0, 4))
        {
            copies.Add(await fleet.PlaceAsync($"game{number}", host));
        }

        using var stop = new CancellationTokenSource();
        using var gate = new SemaphoreSlim(1); // a file that is written now is not made old
        var swept = 0;
        var sweeping = Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
            {
                await gate.WaitAsync(Cancelled);
                MakeOld(Files());
                gate.Release();
                swept += await fleet.States.SweepStoreAsync(Cancelled);
            }
        }, Cancelled);
        var rounds = 0;
        for (; Volatile.Read(ref swept) < 20; rounds++)
        {
            await gate.WaitAsync(Cancelled);
            Assert.All(await Task.WhenAll(copies.Select(copy => fleet.SaveAsync(host, copy, State(rounds % 7)))), Assert.True);
            Assert.All(copies, copy => Assert.Equal(rounds % 7, fleet.FramesAsync(copy.Session).Result[0]));
            await fleet.RunAsync("delete from mgba_fleet.states");
            gate.Release();
        }

        await stop.CancelAsync();
        await sweeping;
    }

    [Fact]
    public async Task State_ThatIsMissingOrDamagedInTheFolder_IsNotUsed()
    {
        await using var fleet = await StartAsync();
        var host = await fleet.AddHostAsync();
        var copy = await fleet.PlaceAsync("game", host);
        foreach (var frame in Enumerable.Range(1, 3))
        {
            Assert.True(await fleet.SaveAsync(host, copy, State(frame)));
        }

        File.Delete(FileOf(3));
        await File.WriteAllBytesAsync(FileOf(2), (await File.ReadAllBytesAsync(FileOf(1), Cancelled)), Cancelled); // another state
        Assert.Equal([null, null, 1], await fleet.FramesAsync("game"));
        Assert.Equal(
            [$"the state {Hash(3)} is missing in {fleet.Options.StateStore}", $"the state {Hash(2)} is damaged in {fleet.Options.StateStore}", ""],
            await fleet.States.NewestAsync("game", Cancelled).Select(found => found.Problem).ToArrayAsync(Cancelled));
    }

    /// <summary>A host whose machine has not mounted the store neither makes folders of its own nor takes states for lost.</summary>
    [Fact]
    public async Task Access_WithoutTheFolder_SaysWhatToDo()
    {
        await using var fleet = await StartAsync();
        var host = await fleet.AddHostAsync();
        var copy = await fleet.PlaceAsync("game", host);
        Assert.True(await fleet.SaveAsync(host, copy, State(1)));
        Directory.Move(_root.FullName, $"{_root.FullName}.away");
        Directory.CreateDirectory(_root.FullName); // the empty mount point
        var write = await Assert.ThrowsAsync<FleetException>(() => fleet.States.SaveAsync(host, copy, State(2), Cancelled));
        Assert.Contains("is it mounted on", write.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<FleetException>(() => fleet.FramesAsync("game"));
        await Assert.ThrowsAsync<FleetException>(() => fleet.States.SweepStoreAsync(Cancelled));
        Directory.Delete(_root.FullName);
        var make = await Assert.ThrowsAsync<FleetException>(() => fleet.States.MakeStoreAsync(Cancelled));
        Assert.Contains("Create or mount it", make.Message, StringComparison.Ordinal);
        Directory.Move($"{_root.FullName}.away", _root.FullName);
        Assert.Equal([1], await fleet.FramesAsync("game"));
    }

    /// <summary>Two fleets of one name and folder: each deletes only what is its own.</summary>
    [Fact]
    public async Task Sweep_OfAnotherFleetOfThatName_LeavesTheStatesAlone()
    {
        await using var fleet = await StartAsync();
        var host = await fleet.AddHostAsync();
        Assert.True(await fleet.SaveAsync(host, await fleet.PlaceAsync("game", host), State(1)));
        MakeOld(Files());
        await using var other = await StartAsync();
        await SweepAsync(other);
        await SweepAsync(fleet);
        Assert.Equal([1], await fleet.FramesAsync("game"));
    }

    /// <summary>A fleet that used the database before: its states are found there.</summary>
    [Fact]
    public async Task Store_OfAFleetThatHadNone_LeavesTheStatesOfTheDatabaseUsable()
    {
        await using var before = await FleetWorld.StartAsync(server);
        var host = await before.AddHostAsync();
        var copy = await before.PlaceAsync("game", host);
        Assert.True(await before.SaveAsync(host, copy, State(1)));
        var states = new StateRegistry(before.Database, before.Options with { StateStore = Address });
        await states.MakeStoreAsync(Cancelled);
        Assert.NotNull(await states.SaveAsync(host, copy, State(2), Cancelled));
        Assert.Equal([2, 1], await states.NewestAsync("game", Cancelled).Select(found => found.State?.Frame).ToArrayAsync(Cancelled));
        Assert.EndsWith("is missing in the database", (await before.States.NewestAsync("game", Cancelled).FirstAsync(Cancelled)).Problem, StringComparison.Ordinal);
    }

    public void Dispose() => _root.Delete(recursive: true);

    private string Address => new Uri(_root.FullName).AbsoluteUri;

    private static SessionState State(int frame) => new([.. BitConverter.GetBytes(frame), .. new byte[4_092]], "{}", frame);

    private static string Hash(int frame) => Convert.ToHexStringLower(SHA256.HashData(State(frame).Bytes));

    private string FileOf(int frame) => Path.Combine(_root.GetDirectories("default-*").Single().FullName, Hash(frame)[..2], Hash(frame));

    private IEnumerable<FileInfo> Files() => _root.EnumerateFiles("*", SearchOption.AllDirectories).Where(file => file.Name != "clock");

    private static void MakeOld(IEnumerable<FileInfo> files)
    {
        foreach (var file in files.ToArray())
        {
            try
            {
                file.LastWriteTimeUtc = DateTime.UtcNow.AddDays(-60);
            }
            catch (IOException)
            {
                // it is deleted at this moment
            }
        }
    }

    private async Task<FleetWorld> StartAsync()
    {
        var fleet = await FleetWorld.StartAsync(server, options => options with { StateStore = Address });
        await fleet.States.MakeStoreAsync(Cancelled);
        return fleet;
    }

    /// <summary>All parts.</summary>
    private static async Task SweepAsync(FleetWorld fleet)
    {
        foreach (var _ in Enumerable.Range(0, 32))
        {
            await fleet.States.SweepStoreAsync(Cancelled);
        }
    }
}
