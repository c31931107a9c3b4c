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
        Placements = new PlacementRegistry(Database, options);
        Log = new FleetLog(Database);
    }

    public FleetOptions Options { get; }

    public FleetDatabase Database { get; }

    public HostRegistry Hosts { get; }

    public SessionRegistry Sessions { get; }

    public StateRegistry States { get; }

    public PlacementRegistry Placements { get; }

    public FleetLog Log { get; }

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public static async Task<FleetWorld> StartAsync(PostgresServer server, Func<FleetOptions, FleetOptions>? change = null)
    {
        var options = TestFleet.Options(await server.CreateDatabaseAsync());
        var fleet = new FleetWorld(change?.Invoke(options) ?? options);
        await fleet.Log.HostsAsync(1, Cancelled); // makes the schema
        await TestFleet.UseManualClockAsync(options.Database!);
        return fleet;
    }

    public static HostDescription Describe(Guid id, Guid? job = null, int capacity = 20) => new(id, job, $"machine-{id.ToString()[..8]}", "1.0", "127.0.0.1", 1, capacity, 4);

    public async Task<Guid> AddHostAsync(Guid? id = null, int capacity = 20)
    {
        var host = Describe(id ?? Guid.NewGuid(), capacity: capacity);
        Assert.True(await Hosts.RegisterAsync(host, Cancelled));
        return host.Id;
    }

    /// <summary>Creates a session and places it.</summary>
    public async Task<SessionCopy> PlaceAsync(string id, Guid host)
    {
        Assert.Equal([id], (await Sessions.CreateAsync(new NewSessions("game.gba", 1, "me", null, id), Cancelled)).Ids);
        Assert.Equal(1, await Placements.PlaceAsync([new Placement(new SessionCopy(id, 0), host)], Cancelled));
        return new SessionCopy(id, 1);
    }

    /// <summary>Lets the lease of a host end, and places its sessions on another.</summary>
    public async Task LoseAsync(Guid host, Guid other)
    {
        await AdvanceAsync(Options.LeaseTime);
        await Hosts.RenewAsync(other, 1, Cancelled);
        Assert.Equal(1, await Placements.DeclareLostAsync([host], Cancelled));
        var unplaced = await Placements.UnplacedAsync(Cancelled);
        Assert.Equal(unplaced.Count, await Placements.PlaceAsync([.. unplaced.Select(session => new Placement(session.Copy, other))], Cancelled));
    }

    public Task AdvanceAsync(TimeSpan time) => TestFleet.AdvanceAsync(Options.Database!, time);

    public Task RunAsync(string sql) => TestFleet.RunAsync(Options.Database!, sql);

    public async Task<long> CountAsync(string table) => (await Database.QueryAsync($"select count(*) from {table}", static row => row.GetInt64(0), Cancelled))[0];

    public ValueTask DisposeAsync() => Database.DisposeAsync();
}
