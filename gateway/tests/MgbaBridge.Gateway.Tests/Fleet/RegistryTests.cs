using MgbaBridge.Engines.Supervision;
using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Reconcile;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>The statements of the registry, with a real PostgreSQL whose clock the tests set.</summary>
public sealed class RegistryTests(PostgresServer server)
{
    private const string EndLeader = "select pg_terminate_backend(pid, 60000) from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Write_OfAFormerHost_IsRefused()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var (first, second) = (await fleet.AddHostAsync(), Guid.NewGuid());
        var copy = await fleet.PlaceAsync("game", first);
        Assert.True(await fleet.SaveAsync(first, copy, State(1)));

        await fleet.AddHostAsync(second);
        await fleet.LoseAsync(first, second);
        Assert.Null(await fleet.Hosts.RenewAsync(first, Cancelled)); // it learns that it was declared lost
        Assert.False(await fleet.SaveAsync(first, copy, State(2)));
        Assert.Empty(await fleet.Hosts.ReportRunningAsync(first, [new RunningCopy(copy, 1, "", "")], Cancelled));
        Assert.False(await fleet.Hosts.ReportFailedAsync(first, copy, "broken", Cancelled));
        Assert.False(await fleet.Hosts.ReleaseAsync(first, copy, Cancelled));

        var moved = Assert.Single(await fleet.Hosts.AssignmentsAsync(second, Cancelled));
        Assert.Equal(new SessionCopy("game", copy.Generation + 1), moved.Copy);
        Assert.False(await fleet.SaveAsync(second, copy, State(2))); // the right host, and a former generation
        Assert.False(await fleet.SaveAsync(first, moved.Copy, State(2))); // a former host, and the right generation
        Assert.Equal(1, Assert.Single(await fleet.FramesAsync("game")));
        Assert.True(await fleet.SaveAsync(second, moved.Copy, State(2)));
    }

    [Fact]
    public async Task Write_AfterTheLeaseHasEnded_IsRefusedUntilItIsRenewed()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        var copy = await fleet.PlaceAsync("game", host);
        await fleet.AdvanceAsync(fleet.Options.LeaseTime);
        Assert.False(await fleet.Hosts.ReleaseAsync(host, copy, Cancelled));
        Assert.NotNull(await fleet.Hosts.RenewAsync(host, Cancelled)); // nobody declared it lost
        Assert.True(await fleet.Hosts.ReleaseAsync(host, copy, Cancelled));
    }

    [Fact]
    public async Task Save_OfAHost_RenewsItsLease()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        var copy = await fleet.PlaceAsync("game", host);
        for (var half = 0; half < 6; half++) // also when it has ended, and nobody declared it lost
        {
            await fleet.AdvanceAsync(fleet.Options.LeaseTime / (half % 3 == 2 ? 1 : 2));
            Assert.Equal(half > 0, await fleet.States.SaveAsync(host, copy, State(half), Cancelled)); // the first one says that the session is not known to run
            Assert.Equal(0, await fleet.Leader.DeclareLostAsync([host], Cancelled));
            Assert.Equal([copy], await fleet.Hosts.ReportRunningAsync(host, [new RunningCopy(copy, 1, "", "")], Cancelled));
        }

        await fleet.AdvanceAsync(fleet.Options.LeaseTime);
        Assert.Equal(1, await fleet.Leader.DeclareLostAsync([host], Cancelled));
        Assert.Null(await fleet.States.SaveAsync(host, copy, State(7), Cancelled));
    }

    /// <summary>A host that stores states without pause while its session is moved again and again: what it stored is in the order of the generations.</summary>
    [Fact]
    public async Task Save_WhileSessionsMove_IsAcceptedOnlyOfTheGenerationOfThatMoment()
    {
        await using var fleet = await FleetWorld.StartAsync(server, options => options with { KeptStates = int.MaxValue });
        var hosts = new[] { await fleet.AddHostAsync(), await fleet.AddHostAsync() };
        var copy = await fleet.PlaceAsync("game", hosts[0]);
        var generation = copy.Generation;
        using var stop = new CancellationTokenSource();
        var accepted = 0;
        var writers = Enumerable.Range(0, 4).Select(writer => Task.Run(async () =>
        {
            for (var number = 0; !stop.IsCancellationRequested; number++)
            {
                var tried = Volatile.Read(ref generation) - (number % 2);
                if (await fleet.SaveAsync(hosts[number % 2], new SessionCopy("game", tried), State((writer * 1_000_000) + number)))
                {
                    Interlocked.Increment(ref accepted);
                }
            }
        })).ToArray();
        for (var move = 0; move < 40 || Volatile.Read(ref accepted) == 0; move++)
        {
            var from = hosts[move % 2];
            Assert.True(await fleet.Hosts.ReleaseAsync(from, new SessionCopy("game", generation), Cancelled));
            await Eventually.IsAsync(async () => await fleet.Hosts.TakeAsync(hosts[(move + 1) % 2], Cancelled) == 1); // a session whose row a save locks is skipped
            Interlocked.Increment(ref generation);
        }

        await stop.CancelAsync();
        await Task.WhenAll(writers);
        var inOrder = await fleet.Database.QueryAsync(
            """
            select count(*) from (
              select t.generation, lag(t.generation) over (order by t.id) as before from mgba_fleet.states t where t.session = 'game') o where o.generation < o.before
            """,
            static row => row.GetInt64(0), Cancelled);
        Assert.Equal(0, inOrder[0]);
    }

    /// <summary>A job that an engine starts twice, too late, or for a session that is there no more: nothing of it runs.</summary>
    [Fact]
    public async Task Register_OfAJob_TakesItsSessionOnceAndOnlyInTheGenerationThatIsWanted()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await fleet.CreateAsync("game");
        var (first, second) = (Guid.NewGuid(), Guid.NewGuid());
        Assert.False(await RegisterAsync(second, 2)); // nobody requested this job yet
        Assert.True(await RegisterAsync(first, 1));
        Assert.True(await RegisterAsync(first, 1)); // its answer was lost
        Assert.Equal(new SessionCopy("game", 1), Assert.Single(await fleet.Hosts.AssignmentsAsync(first, Cancelled)).Copy);
        var session = (await fleet.Sessions.FindAsync(null, "game", Cancelled))!;
        Assert.Equal((FleetWorld.Describe(first).Name, "162_1"), (session.Host, session.Job));
        Assert.Equal("162_1", Assert.Single(await fleet.Log.HostsAsync(null, 10, Cancelled)).Job);
        Assert.False(await RegisterAsync(second, 1)); // a duplicate
        Assert.False(await RegisterAsync(second, 2));
        await fleet.AdvanceAsync(fleet.Options.LeaseTime);
        Assert.False(await RegisterAsync(second, 2)); // the first one may still run
        Assert.Equal(1, await fleet.Leader.DeclareLostAsync([first], Cancelled));
        Assert.False(await RegisterAsync(second, 1)); // its time is over
        Assert.False(await RegisterAsync(first, 2)); // a host that is gone stays gone
        Assert.True(await RegisterAsync(second, 2));
        Assert.True(await fleet.Hosts.ReleaseAsync(second, new SessionCopy("game", 2), Cancelled));
        await fleet.Sessions.DeleteAsync("game", Cancelled);
        Assert.False(await RegisterAsync(Guid.NewGuid(), 3)); // the session was deleted
        await fleet.Leader.RemoveAsync(Cancelled);
        Assert.False(await RegisterAsync(Guid.NewGuid(), 3));
        Assert.Equal(
            ["session.created 0", "session.placed 1", "session.placed 2", "session.released 2", "session.deleted 2"],
            (await fleet.Log.EventsAsync(null, "game", 0, 10, Cancelled)).Select(entry => $"{entry.Kind} {entry.Generation}"));

        Task<bool> RegisterAsync(Guid host, long generation) => fleet.Hosts.RegisterAsync(FleetWorld.Describe(host, new SessionCopy("game", generation), capacity: 1), Cancelled);
    }

    [Fact]
    public async Task Register_OfManyHostsForOneJob_IsAcceptedOfOne()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await fleet.CreateAsync("game");
        var accepted = await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => fleet.Hosts.RegisterAsync(FleetWorld.Describe(Guid.NewGuid(), new SessionCopy("game", 1)), Cancelled)));
        Assert.Single(accepted, true);
        Assert.Equal(1, await fleet.CountAsync("mgba_fleet.hosts"));
    }

    [Fact]
    public async Task Take_ByHostsAtTheSameTime_SharesTheSessions()
    {
        const int Sessions = 60;
        await using var fleet = await FleetWorld.StartAsync(server);
        var hosts = new Guid[6];
        foreach (var index in Enumerable.Range(0, hosts.Length))
        {
            hosts[index] = await fleet.AddHostAsync(capacity: index == 0 ? 3 : 20);
        }

        await fleet.Sessions.CreateAsync(new NewSessions("game.gba", Sessions, "me"), Cancelled);
        Assert.InRange(await fleet.Hosts.TakeAsync(hosts[1], Cancelled), 1, Sessions / hosts.Length); // no more than its share
        for (var taken = 1; taken > 0;)
        {
            taken = (await Task.WhenAll(hosts.Select(host => fleet.Hosts.TakeAsync(host, Cancelled)))).Sum();
        }

        var counts = await fleet.Database.QueryAsync("select count(distinct id), count(distinct host), max(generation) from mgba_fleet.sessions where state = 'placed'", static row => (row.GetInt64(0), row.GetInt64(1), row.GetInt64(2)), Cancelled);
        Assert.Equal((Sessions, hosts.Length, 1), counts[0]);
        Assert.Equal(3, (await fleet.Hosts.AssignmentsAsync(hosts[0], Cancelled)).Count); // it has room for three
    }

    [Fact]
    public async Task Options_OfASession_ReachItsHost()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        var options = new EmulatorOptions { Fps = 30, SaveType = "flash1m", Hardware = "rtc,tilt", SkipBios = true, Clock = "emulated:2026-01-01T12:00" };
        await fleet.Sessions.CreateAsync(new NewSessions("game.gba", 1, "me") { Options = options }, Cancelled);
        await fleet.Hosts.TakeAsync(host, Cancelled);
        Assert.Equal(options, Assert.Single(await fleet.Hosts.AssignmentsAsync(host, Cancelled)).Options);
    }

    [Fact]
    public async Task Take_ByAHostThatMayNot_TakesNothing()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var (draining, expired, full, lost) = (await fleet.AddHostAsync(), await fleet.AddHostAsync(), await fleet.AddHostAsync(capacity: 0), await fleet.AddHostAsync());
        await fleet.Hosts.DrainAsync(draining, Cancelled);
        await fleet.AdvanceAsync(fleet.Options.LeaseTime);
        await fleet.Hosts.RenewAsync(draining, Cancelled);
        await fleet.Hosts.RenewAsync(full, Cancelled);
        await fleet.Leader.DeclareLostAsync([lost], Cancelled);
        await fleet.CreateAsync("game");
        foreach (var host in new[] { draining, expired, full, lost, Guid.NewGuid() })
        {
            Assert.Equal(0, await fleet.Hosts.TakeAsync(host, Cancelled));
        }
    }

    /// <summary>Jobs of an engine and hosts that were started by hand want the same session.</summary>
    [Fact]
    public async Task Take_WhileAJobRegisters_GivesTheSessionToOneOfThem()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var hosts = new[] { await fleet.AddHostAsync(), await fleet.AddHostAsync() };
        for (var round = 0; round < 30; round++)
        {
            var id = $"game{round}";
            await fleet.CreateAsync(id);
            var job = fleet.Hosts.RegisterAsync(FleetWorld.Describe(Guid.NewGuid(), new SessionCopy(id, 1), capacity: 1), Cancelled);
            var taken = await Task.WhenAll(hosts.Select(host => fleet.Hosts.TakeAsync(host, Cancelled)));
            Assert.Equal(1, taken.Sum() + (await job ? 1 : 0));
            Assert.Equal(("placed", 1), ((await fleet.Sessions.FindAsync(null, id, Cancelled))!.State, (await fleet.Sessions.FindAsync(null, id, Cancelled))!.Generation));
            await fleet.RunAsync("delete from mgba_fleet.sessions");
        }
    }

    /// <summary>A host that was silent takes sessions at the moment when it is declared lost: none of them stays with it.</summary>
    [Fact]
    public async Task Take_WhileTheHostIsDeclaredLost_LeavesNoSessionWithIt()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        for (var round = 0; round < 30; round++)
        {
            var host = await fleet.AddHostAsync();
            await fleet.CreateAsync($"game{round}");
            await fleet.RunAsync($"update mgba_fleet.hosts set lease_until = mgba_fleet.moment() where id = '{host}'");
            var lost = fleet.Leader.DeclareLostAsync([host], Cancelled);
            await Task.WhenAll(fleet.RunAsync($"update mgba_fleet.hosts set lease_until = mgba_fleet.moment() + interval '1 s' where id = '{host}' and state <> 'gone'"), fleet.Hosts.TakeAsync(host, Cancelled));
            await lost;
            Assert.Equal(0, (await fleet.Database.QueryAsync(
                "select count(*) from mgba_fleet.sessions s join mgba_fleet.hosts h on h.id = s.host where h.state = 'gone'", static row => row.GetInt64(0), Cancelled))[0]);
            await fleet.RunAsync("delete from mgba_fleet.sessions; update mgba_fleet.hosts set state = 'gone'");
        }
    }

    [Fact]
    public async Task Jobs_OfSessions_AreThoseThatHaveToBeStartedOrEnded()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        await fleet.PlaceAsync("runs", host);
        var deleted = await fleet.PlaceAsync("deleted", host);
        await fleet.Sessions.DeleteAsync("deleted", Cancelled);
        await fleet.CreateAsync("waits", "failed", "unwanted");
        Assert.Equal(1, await fleet.Leader.FailAsync([new SessionCopy("failed", 1), new SessionCopy("runs", 1), new SessionCopy("waits", 2)], "It ended.", Cancelled));
        await fleet.Sessions.DeleteAsync("unwanted", Cancelled);
        Assert.Equal(
            [("deleted.1", false, true), ("failed.2", true, false), ("unwanted.1", false, true), ("waits.1", true, true)],
            (await fleet.Leader.JobsAsync(Cancelled)).Select(job => (job.Copy.ToString(), job.IsWanted, job.IsDue)).OrderBy(job => job.Item1, StringComparer.Ordinal));
        SessionCopy[] wanted = [new("runs", 1), new("failed", 2), new("waits", 1)];
        SessionCopy[] surplus = [deleted, new("unwanted", 1), new("runs", 2), new("runs", 0), new("failed", 1), new("failed", 3), new("waits", 2), new("never", 1)];
        Assert.Equal(surplus.Select(job => job.ToString()).Order(), (await fleet.Leader.SurplusAsync([.. wanted, .. surplus], Cancelled)).Select(job => job.ToString()).Order());
    }

    [Fact]
    public async Task DeclareLost_OfAHostThatRenewedMeanwhile_DoesNothing()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        await fleet.AdvanceAsync(fleet.Options.LeaseTime);
        await fleet.Hosts.RenewAsync(host, Cancelled);
        Assert.Equal(0, await fleet.Leader.DeclareLostAsync([host], Cancelled));
    }

    [Fact]
    public async Task Failures_InARow_WaitLongerEachTime()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        var pauses = new List<int>();
        var copy = await fleet.PlaceAsync("game", host);
        foreach (var _ in Enumerable.Range(0, 8))
        {
            Assert.True(await fleet.Hosts.ReportFailedAsync(host, copy, "There is no ROM game.gba.", Cancelled));
            Assert.Equal("There is no ROM game.gba.", (await fleet.Sessions.FindAsync(null, "game", Cancelled))!.Detail);
            var pause = 0;
            for (; !(await fleet.Leader.JobsAsync(Cancelled))[0].IsDue; pause++)
            {
                await fleet.AdvanceAsync(TimeSpan.FromSeconds(1));
                await fleet.Hosts.RenewAsync(host, Cancelled);
            }

            pauses.Add(pause);
            await fleet.AdvanceAsync(TimeSpan.FromSeconds(HostRegistry.LeaveToOthersSeconds));
            Assert.Equal(1, await fleet.Hosts.TakeAsync(host, Cancelled));
            copy = copy with { Generation = copy.Generation + 1 };
        }

        Assert.Equal([1, 2, 4, 8, 16, 32, 60, 60], pauses);
    }

    [Fact]
    public async Task Failures_OnAHost_LetOthersTakeTheSessionFirstUntilItRuns()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        Guid[] hosts = [await fleet.AddHostAsync(), await fleet.AddHostAsync()];
        var copy = await fleet.PlaceAsync("game", hosts[0]);
        for (var (failures, pause) = (1, 1); failures <= 2; failures++, pause *= 2)
        {
            Assert.True(await fleet.Hosts.ReportFailedAsync(hosts[0], copy, "broken", Cancelled));
            await fleet.AdvanceAsync(TimeSpan.FromSeconds(pause));
            Assert.Equal(0, await fleet.Hosts.TakeAsync(hosts[0], Cancelled));
            await fleet.AdvanceAsync(TimeSpan.FromSeconds(HostRegistry.LeaveToOthersSeconds)); // no other one does
            Assert.Equal(1, await fleet.Hosts.TakeAsync(hosts[0], Cancelled));
            copy = copy with { Generation = copy.Generation + 1 };
        }

        Assert.True(await fleet.Hosts.ReportFailedAsync(hosts[0], copy, "broken", Cancelled));
        await fleet.AdvanceAsync(TimeSpan.FromSeconds(4));
        Assert.Equal(0, await fleet.Hosts.TakeAsync(hosts[0], Cancelled));
        Assert.Equal(1, await fleet.Hosts.TakeAsync(hosts[1], Cancelled));
        copy = copy with { Generation = copy.Generation + 1 };
        Assert.Single(await fleet.Hosts.ReportRunningAsync(hosts[1], [new RunningCopy(copy, 1, "", "")], Cancelled));
        Assert.True(await fleet.Hosts.ReleaseAsync(hosts[1], copy, Cancelled));
        Assert.Equal(1, await fleet.Hosts.TakeAsync(hosts[0], Cancelled));
    }

    [Fact]
    public async Task Create_ByManyAtOnce_KeepsTheQuotas()
    {
        await using var fleet = await FleetWorld.StartAsync(server, options => options with { MaxSessions = 60, MaxSessionsPerOwner = 40 });
        var created = await Task.WhenAll(Enumerable.Range(0, 20).Select(number => fleet.Sessions.CreateAsync(new NewSessions("game.gba", 5, $"owner{number % 2}"), Cancelled)));
        Assert.Equal(60, created.Sum(result => result.Ids.Count));
        Assert.Equal(8, created.Count(result => result.Failure == SessionFailure.TooMany));
        await using var other = await FleetWorld.StartAsync(server, options => options with { MaxSessionsPerOwner = 7 });
        Assert.Equal(SessionFailure.OverQuota, (await other.Sessions.CreateAsync(new NewSessions("game.gba", 8, "me"), Cancelled)).Failure);
        Assert.Equal(7, (await other.Sessions.CreateAsync(new NewSessions("game.gba", 7, "me"), Cancelled)).Ids.Count);
        Assert.Equal(SessionFailure.OverQuota, (await other.Sessions.CreateAsync(new NewSessions("game.gba", 1, "me", "mine"), Cancelled)).Failure);
        Assert.Equal(["mine"], (await other.Sessions.CreateAsync(new NewSessions("game.gba", 1, "you", "mine"), Cancelled)).Ids);
        Assert.Equal(SessionFailure.IdTaken, (await other.Sessions.CreateAsync(new NewSessions("game.gba", 1, "you", "mine"), Cancelled)).Failure);
    }

    [Fact]
    public async Task TemporarySessions_OfAProgramThatNoGatewayKnows_End()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await fleet.CreateAsync("kept");
        foreach (var program in new[] { "killed", "alive" })
        {
            await fleet.Sessions.CreateAsync(new NewSessions("game.gba", 1, "me", program, Holder: $"me/{program}"), Cancelled);
        }

        await fleet.AdvanceAsync(SessionRegistry.WithoutProgram * 0.7);
        Assert.Equal(1, await fleet.Sessions.RenewAsync(["me/alive", "me/other"], Cancelled));
        Assert.Equal(0, await fleet.Sessions.ExpireAsync(Cancelled));
        await fleet.AdvanceAsync(SessionRegistry.WithoutProgram * 0.7);
        Assert.Equal(1, await fleet.Sessions.ExpireAsync(Cancelled));
        var states = (await fleet.Sessions.ListAsync(null, null, null, null, 10, Cancelled)).ToDictionary(session => session.Id, session => session.State);
        Assert.Equal(["pending", "deleting", "pending"], new[] { "kept", "killed", "alive" }.Select(id => states[id]));
        Assert.Equal(0, await fleet.Sessions.RenewAsync(["me/killed"], Cancelled));
        await fleet.AdvanceAsync(TimeSpan.FromDays(1));
        Assert.Equal(1, await fleet.Sessions.ExpireAsync(Cancelled));
    }

    [Fact]
    public async Task DeleteAll_ByAnOwner_DeletesItsOwnSessionsAlone()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await fleet.CreateAsync("first", "second"); // of the owner `me`
        Assert.Equal(0, await fleet.Sessions.DeleteAllAsync("you", null, Cancelled));
        Assert.Equal(0, await fleet.Sessions.DeleteAllAsync("you", "me", Cancelled));
        Assert.Equal(2, await fleet.Sessions.DeleteAllAsync("me", null, Cancelled));
    }

    [Fact]
    public async Task Delete_OfARunningSession_LetsItsHostEndIt()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        var copy = await fleet.PlaceAsync("game", host);
        Assert.False(await fleet.Hosts.RenewAsync(host, Cancelled)); // it is not known to run
        await fleet.Hosts.ReportRunningAsync(host, [new RunningCopy(copy, 1, "", "")], Cancelled);
        Assert.True(await fleet.Hosts.RenewAsync(host, Cancelled));
        Assert.False(await fleet.Hosts.ReportEndedAsync(host, copy, Cancelled)); // it is wanted
        Assert.True(await fleet.Sessions.DeleteAsync("game", Cancelled));
        Assert.False(await fleet.Hosts.RenewAsync(host, Cancelled));
        Assert.False(await fleet.States.SaveAsync(host, copy, State(1), Cancelled));
        Assert.False(Assert.Single(await fleet.Hosts.AssignmentsAsync(host, Cancelled)).IsWanted);
        Assert.True(await fleet.Hosts.ReportEndedAsync(host, copy, Cancelled));
        Assert.False(await fleet.Sessions.DeleteAsync("game", Cancelled));
        Assert.Equal(["session.created", "session.placed", "session.running", "session.deleted"], (await fleet.Log.EventsAsync(null, "game", 0, 10, Cancelled)).Select(entry => entry.Kind));
    }

    [Fact]
    public async Task Leave_OfAHostWithSessions_WaitsUntilTheyAreGivenBack()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        var copy = await fleet.PlaceAsync("game", host);
        Assert.True(await fleet.Hosts.DrainAsync(host, Cancelled));
        Assert.False(await fleet.Hosts.LeaveAsync(host, Cancelled));
        Assert.True(await fleet.Hosts.ReleaseAsync(host, copy, Cancelled));
        Assert.True(await fleet.Hosts.LeaveAsync(host, Cancelled));
        Assert.Null(await fleet.Hosts.RenewAsync(host, Cancelled));
    }

    [Fact]
    public async Task States_ThatAreEqual_AreStoredOnceAndTheOldestAreDeleted()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        var (first, second) = (await fleet.PlaceAsync("first", host), await fleet.PlaceAsync("second", host));
        for (var frame = 1; frame <= 5; frame++)
        {
            Assert.True(await fleet.SaveAsync(host, first, State(frame)));
            Assert.True(await fleet.SaveAsync(host, second, State(frame)));
        }

        Assert.Equal((null, TimeSpan.Zero, null), await fleet.Sessions.OldestStateAsync(null, Cancelled));
        await fleet.Hosts.ReportRunningAsync(host, [new RunningCopy(first, 1, "", ""), new RunningCopy(second, 2, "", "")], Cancelled);
        await fleet.AdvanceAsync(TimeSpan.FromSeconds(9));
        Assert.True(await fleet.SaveAsync(host, first, State(5)));
        Assert.Equal(("second", TimeSpan.FromSeconds(9), ""), await fleet.Sessions.OldestStateAsync("me", Cancelled));
        Assert.Equal((null, TimeSpan.Zero, null), await fleet.Sessions.OldestStateAsync("you", Cancelled));
        Assert.Equal(1, await fleet.States.ReportAsync(host, second, "full"));
        Assert.Equal(0, await fleet.States.ReportAsync(host, second with { Generation = 9 }, "not its own"));
        Assert.Equal(0, await fleet.States.ReportAsync(Guid.NewGuid(), second, "not its own"));
        Assert.Equal(("second", TimeSpan.FromSeconds(9), "full"), await fleet.Sessions.OldestStateAsync(null, Cancelled));
        Assert.Equal((0d, 9d), ((await fleet.Sessions.FindAsync(null, "first", Cancelled))!.StateSeconds, (await fleet.Sessions.FindAsync(null, "second", Cancelled))!.StateSeconds));
        Assert.Equal([5, 5, 4], await fleet.FramesAsync("first"));
        Assert.Equal([5, 4, 3], await fleet.FramesAsync("second"));
        Assert.Equal(State(5).Bytes, (await fleet.States.NewestAsync("second", Cancelled).FirstAsync(Cancelled)).State!.Bytes);
        Assert.Equal(5, await fleet.CountAsync("mgba_fleet.blobs"));
        await fleet.AdvanceAsync(TimeSpan.FromMinutes(11));
        await fleet.Leader.CleanAsync(Cancelled);
        Assert.Equal(3, await fleet.CountAsync("mgba_fleet.blobs"));
        await fleet.RunAsync("update mgba_fleet.blobs b set content = 'damaged' from mgba_fleet.states t where t.sha256 = b.sha256 and t.frame = 5");
        Assert.Equal([null, 4, 3], await fleet.FramesAsync("second"));
        Assert.EndsWith("is damaged in the database", (await fleet.States.NewestAsync("second", Cancelled).FirstAsync(Cancelled)).Problem, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ArgumentException>(() => fleet.States.SaveAsync(host, first, new SessionState(new byte[StateRegistry.MaxBytes + 1], "", 6), Cancelled));
    }

    [Fact]
    public async Task Open_OfADatabaseOfAnotherFleetOrANewerProgram_IsRefused()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await using var other = new FleetDatabase(fleet.Options with { Name = "other" });
        var wrongFleet = await Assert.ThrowsAsync<FleetException>(() => new FleetLog(other).HostsAsync(null, 1, Cancelled));
        Assert.Equal(FleetProblem.WrongDatabase, wrongFleet.Problem);
        Assert.Contains("belongs to the fleet default", wrongFleet.Message, StringComparison.Ordinal);
        await fleet.RunAsync("update mgba_fleet.fleet set schema_version = 99");
        await using var older = new FleetDatabase(fleet.Options);
        var newer = await Assert.ThrowsAsync<FleetException>(() => new FleetLog(older).HostsAsync(null, 1, Cancelled));
        Assert.Equal(FleetProblem.WrongDatabase, newer.Problem);
        Assert.Contains("has version 99; this program knows versions up to", newer.Message, StringComparison.Ordinal);
        Assert.Equal(FleetProblem.WrongDatabase, Assert.Throws<FleetException>(() => new FleetDatabase(new FleetOptions { Database = "Hots=nowhere" })).Problem);
        await using var nowhere = new FleetDatabase(new FleetOptions { Database = "Host=/nonexistent;Username=nobody" });
        Assert.Equal(FleetProblem.Unavailable, (await Assert.ThrowsAsync<FleetException>(() => new FleetLog(nowhere).HostsAsync(null, 1, Cancelled))).Problem);
    }

    [Fact]
    public async Task Open_ByManyProgramsAtOnce_MakesTheSchemaOnce()
    {
        var options = TestFleet.Options(await server.CreateDatabaseAsync());
        var databases = Enumerable.Range(0, 8).Select(_ => new FleetDatabase(options)).ToArray();
        var lists = await Task.WhenAll(databases.Select(database => new FleetLog(database).HostsAsync(null, 1, Cancelled)));
        Assert.All(lists, Assert.Empty);
        foreach (var database in databases)
        {
            await database.DisposeAsync();
        }
    }

    [Fact]
    public async Task Leadership_OfTwoGateways_IsWithOneUntilItLeaves()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await using var other = new FleetDatabase(fleet.Options);
        await using var first = new Leadership(fleet.Database);
        await using var second = new Leadership(other);
        Assert.True(await first.HoldAsync(Cancelled));
        Assert.True(await first.HoldAsync(Cancelled));
        Assert.False(await second.HoldAsync(Cancelled));
        await first.DisposeAsync();
        Assert.True(await second.HoldAsync(Cancelled));
        Assert.False(await first.HoldAsync(Cancelled));
        await fleet.RunAsync(EndLeader);
        await Assert.ThrowsAsync<FleetException>(() => second.HoldAsync(Cancelled));
        Assert.True(await first.HoldAsync(Cancelled));
    }

    [Fact]
    public async Task Leadership_WhoseConnectionTheKeepaliveFoundBroken_IsLostAndCanBeHeldAgain()
    {
        await using var fleet = await FleetWorld.StartAsync(server, static options => options with { Database = $"{options.Database};Keepalive=1" });
        await using var leadership = new Leadership(fleet.Database);
        Assert.True(await leadership.HoldAsync(Cancelled));
        await fleet.RunAsync(EndLeader);
        await Task.Delay(TimeSpan.FromSeconds(3), Cancelled); // after a second it is found
        await Assert.ThrowsAsync<FleetException>(() => leadership.HoldAsync(Cancelled));
        Assert.True(await leadership.HoldAsync(Cancelled));
    }

    [Fact]
    public async Task WakeUp_ComesWhenASessionIsCreatedTakenOrDeleted()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var host = await fleet.AddHostAsync();
        await using var wakeUps = new FleetWakeUps(fleet.Database);
        wakeUps.Start();
        await wakeUps.WaitAsync(Timeout.InfiniteTimeSpan, Cancelled); // it listens
        foreach (var change in new Func<Task>[] { () => fleet.CreateAsync("game"), () => fleet.Hosts.TakeAsync(host, Cancelled), () => fleet.Sessions.DeleteAsync("game", Cancelled) })
        {
            await change();
            await wakeUps.WaitAsync(Timeout.InfiniteTimeSpan, Cancelled);
        }
    }

    /// <summary>The database ends like after a power failure: the leader waits one lease time after it is back.</summary>
    [Fact]
    public async Task Look_AfterTheDatabaseWasAway_WaitsOneLeaseTimeBeforeItMovesAnything()
    {
        await using var own = new PostgresServer { IsDurable = true };
        await using var fleet = await FleetWorld.StartAsync(own);
        var time = new ManualTime();
        var reconciler = new Reconciler(fleet.Leader, fleet.Options, time);
        var host = await fleet.AddHostAsync();
        await fleet.PlaceAsync("game", host);
        await reconciler.LookAsync(Cancelled);
        await own.CrashAsync(async () =>
        {
            var exception = await Assert.ThrowsAsync<FleetException>(() => reconciler.LookAsync(Cancelled));
            Assert.Equal(FleetProblem.Unavailable, exception.Problem);
            time.Advance(TimeSpan.FromMinutes(1));
        });
        await fleet.AdvanceAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(0, (await reconciler.LookAsync(Cancelled)).Lost); // expired by the database's clock, and just seen for the first time
        time.Advance(fleet.Options.LeaseTime - TimeSpan.FromSeconds(1));
        Assert.Equal(0, (await reconciler.LookAsync(Cancelled)).Lost);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1, (await reconciler.LookAsync(Cancelled)).Lost);
    }

    /// <summary>The clock of the database is set: no host that renews its lease is declared lost.</summary>
    [Theory]
    [InlineData(600)]
    [InlineData(-600)]
    public async Task Look_AfterTheClockOfTheDatabaseWasSet_LosesNoHostThatRenews(int seconds)
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        var time = new ManualTime();
        var reconciler = new Reconciler(fleet.Leader, fleet.Options, time);
        var host = await fleet.AddHostAsync();
        var copy = await fleet.PlaceAsync("game", host);
        await reconciler.LookAsync(Cancelled);
        await fleet.AdvanceAsync(TimeSpan.FromSeconds(seconds));
        for (var third = 0; third < 9; third++)
        {
            Assert.Equal(0, (await reconciler.LookAsync(Cancelled)).Lost);
            Assert.NotNull(await fleet.Hosts.RenewAsync(host, Cancelled));
            Assert.True(await fleet.SaveAsync(host, copy, State(third)));
            time.Advance(fleet.Options.LeaseTime / 3);
            await fleet.AdvanceAsync(fleet.Options.LeaseTime / 3);
        }

        Assert.Equal(0, (await reconciler.LookAsync(Cancelled)).Lost); // it has renewed since the last look
        time.Advance(fleet.Options.LeaseTime);
        await fleet.AdvanceAsync(fleet.Options.LeaseTime);
        Assert.Equal(1, (await reconciler.LookAsync(Cancelled)).Lost); // one that renews no more is
    }

    private static SessionState State(int frame)
    {
        var bytes = new byte[4_096];
        BitConverter.TryWriteBytes(bytes, frame);
        return new SessionState(bytes, "{}", frame);
    }
}
