using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>A fleet of its own in a test: a database with a clock that the test sets, and the registries.</summary>
internal sealed class FleetWorld : IAsyncDisposable
{
    private FleetWorld(FleetOptions options)
    {
        Options = options;
        Database = new FleetDatabase(options);
        Hosts = new HostRegistry(Database, options);
        Sessions = new SessionRegistry(Database, options);
        States = new StateRegistry(Database, options);
        Leader = new LeaderRegistry(Database);
        Log = new FleetLog(Database);
    }

    public FleetOptions Options { get; }

    public FleetDatabase Database { get; }

    public HostRegistry Hosts { get; }

    public SessionRegistry Sessions { get; }

    public StateRegistry States { get; }

    public LeaderRegistry Leader { get; }

    public FleetLog Log { get; }

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public static async Task<FleetWorld> StartAsync(PostgresServer server, Func<FleetOptions, FleetOptions>? change = null)
    {
        var options = TestFleet.Options(await server.CreateDatabaseAsync());
        var fleet = new FleetWorld(change?.Invoke(options) ?? options);
        await fleet.Log.HostsAsync(null, 1, Cancelled); // makes the schema
        await TestFleet.UseManualClockAsync(options.Database!);
        return fleet;
    }

    public static HostDescription Describe(Guid id, SessionCopy? job = null, int capacity = 20) => new(id, job, job is null ? null : $"162_{job.Value.Generation}", $"machine-{id.ToString()[..8]}", "1.0", "127.0.0.1", 1, capacity);

    public async Task<Guid> AddHostAsync(Guid? id = null, int capacity = 20)
    {
        var host = Describe(id ?? Guid.NewGuid(), capacity: capacity);
        Assert.True(await Hosts.RegisterAsync(host, Cancelled));
        return host.Id;
    }

    public async Task CreateAsync(params IEnumerable<string> ids)
    {
        foreach (var id in ids)
        {
            Assert.Equal([id], (await Sessions.CreateAsync(new NewSessions("game.gba", 1, "me", id), Cancelled)).Ids);
        }
    }

    /// <summary>Creates a session, which the host takes: nothing else waits.</summary>
    public async Task<SessionCopy> PlaceAsync(string id, Guid host)
    {
        await CreateAsync(id);
        Assert.Equal(1, await Hosts.TakeAsync(host, Cancelled));
        return new SessionCopy(id, 1);
    }

    /// <summary>Lets the lease of a host end, and its sessions be taken by another.</summary>
    public async Task LoseAsync(Guid host, Guid other)
    {
        await AdvanceAsync(Options.LeaseTime);
        await Hosts.RenewAsync(other, Cancelled);
        Assert.Equal(1, await Leader.DeclareLostAsync([host], Cancelled));
        while (await Hosts.TakeAsync(other, Cancelled) > 0)
        {
            // its share of what is left
        }
    }

    /// <summary>Stores a state. False when the copy is fenced.</summary>
    public async Task<bool> SaveAsync(Guid host, SessionCopy copy, SessionState state) => await States.SaveAsync(host, copy, state, Cancelled) is not null;

    /// <summary>The frames of a session's states, newest first; null for one that cannot be used.</summary>
    public async Task<long?[]> FramesAsync(string session) => await States.NewestAsync(session, Cancelled).Select(found => found.State?.Frame).ToArrayAsync(Cancelled);

    public Task AdvanceAsync(TimeSpan time) => TestFleet.AdvanceAsync(Options.Database!, time);

    public Task RunAsync(string sql) => TestFleet.RunAsync(Options.Database!, sql);

    public async Task<long> CountAsync(string table) => (await Database.QueryAsync($"select count(*) from {table}", static row => row.GetInt64(0), Cancelled))[0];

    public ValueTask DisposeAsync() => Database.DisposeAsync();
}
