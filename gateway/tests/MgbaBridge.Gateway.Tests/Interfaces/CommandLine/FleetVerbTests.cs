using System.Text.Json;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Interfaces.CommandLine;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Fleet;
using MgbaBridge.Gateway.Tests.Support;
using Npgsql;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

public sealed class FleetVerbTests(PostgresServer server)
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task FleetStatus_OfAFleet_ShowsHostsAndWhatSessionsWaitFor()
    {
        var options = TestFleet.Options(await server.CreateDatabaseAsync());
        await using var database = new FleetDatabase(options);
        var (living, gone) = (Describe("node1"), Describe("node2"));
        Assert.True(await new HostRegistry(database, options).RegisterAsync(living, Cancelled));
        Assert.True(await new HostRegistry(database, options).RegisterAsync(gone, Cancelled));
        await new HostRegistry(database, options).LeaveAsync(gone.Id, Cancelled);
        await new SessionRegistry(database, options).CreateAsync(new NewSessions("game.gba", 1, "lab", "mine"), Cancelled);
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", options.Database!));
        var url = gateway.Client.BaseAddress!.ToString();
        var text = "";
        await Eventually.IsAsync(async () => (text = await VerbRun.TextAsync("fleet", "status", "--url", url)).Contains("It waits for a host", StringComparison.Ordinal)); // the leader writes it
        var lines = text.Split('\n');
        Assert.StartsWith("fleet default: 0 running, 0 starting, 1 waiting, 0 ending; ", lines[0], StringComparison.Ordinal);
        Assert.Matches("^host +state +sessions +lease +version +job +id$", lines[1]);
        Assert.Matches($"^node1 +ready +0/0 +(\\d+ s|ended) +1\\.0 +162_0 +{living.Id}$", lines[2]);
        Assert.Matches("^session +owner +rom +failures +waits for$", lines[3]);
        Assert.Matches("^mine +lab +game\\.gba +0 +It waits for a host", lines[4]);
        using var json = JsonDocument.Parse(await VerbRun.TextAsync("fleet", "status", "--json", "--url", url));
        Assert.Equal(1, json.RootElement.GetProperty("pending").GetInt32());
        Assert.Equal("node1", Assert.Single(json.RootElement.GetProperty("hostList").EnumerateArray()).GetProperty("name").GetString());
        Assert.Equal("mine", Assert.Single(json.RootElement.GetProperty("waiting").EnumerateArray()).GetProperty("id").GetString());
    }

    [Fact]
    public async Task FleetStatus_OfARunningSession_SaysHowOldItsNewestStateIs()
    {
        var options = TestFleet.Options(await server.CreateDatabaseAsync());
        await using var database = new FleetDatabase(options);
        await new SessionRegistry(database, options).CreateAsync(new NewSessions("game.gba", 1, "lab", "mine"), Cancelled);
        var copy = new SessionCopy("mine", 1);
        var host = FleetWorld.Describe(Guid.NewGuid(), copy);
        Assert.True(await new HostRegistry(database, options).RegisterAsync(host, Cancelled));
        Assert.Single(await new HostRegistry(database, options).ReportRunningAsync(host.Id, [new RunningCopy(copy, 1, "", "")], Cancelled));
        Assert.True(await new StateRegistry(database, options).SaveAsync(host.Id, copy, new SessionState([1], "{}", 1), Cancelled));
        await TestFleet.RunAsync(options.Database!, "update mgba_fleet.states set taken_at = taken_at - interval '1 day'"); // none could be stored since
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", options.Database!));
        var url = gateway.Client.BaseAddress!.ToString();
        Assert.Matches("\nnewest states: at most 864\\d\\d s old \\(session mine\\)\n", await VerbRun.TextAsync("fleet", "status", "--url", url));
        await new StateRegistry(database, options).ReportAsync(host.Id, copy, "No space left on device");
        Assert.Matches("\nnewest states: at most 864\\d\\d s old \\(session mine\\) No space left on device\n", await VerbRun.TextAsync("fleet", "status", "--url", url));
        using var session = JsonDocument.Parse(await VerbRun.TextAsync("fleet", "sessions", "get", "mine", "--json", "--url", url));
        Assert.Equal("No space left on device", session.RootElement.GetProperty("detail").GetString());
        Assert.InRange(session.RootElement.GetProperty("stateSeconds").GetDouble(), 86_400, 86_500);
    }

    /// <summary>What jobs connect with is no problem of the engine. The connection that tries it ends with the gateway.</summary>
    [Fact]
    public async Task FleetStatus_WithAWrongHostDatabase_NamesIt()
    {
        var address = await server.CreateDatabaseAsync();
        var user = $"host_{Guid.NewGuid():N}";
        await using (var gateway = GatewayHost.StartWithoutPort(
            ("Fleet:Database", address), ("Fleet:HostDatabase", new NpgsqlConnectionStringBuilder(address) { Username = user }.ConnectionString), ("Fleet:Engine", "local")))
        {
            var text = "";
            await Eventually.IsAsync(async () => (text = await VerbRun.TextAsync("fleet", "status", "--url", gateway.Client.BaseAddress!.ToString())).Contains("HostDatabase", StringComparison.Ordinal));
            Assert.StartsWith($"Jobs cannot use Bridge:Fleet:HostDatabase: role \"{user}\" does not exist. Correct it,", text.Split('\n')[1], StringComparison.Ordinal);
        }

        await TestFleet.RunAsync(address, $"create role {user} login; grant usage on schema mgba_fleet to {user}; grant select on mgba_fleet.fleet to {user}");
        await using var database = new FleetDatabase(TestFleet.Options(address));
        await using (GatewayHost.StartWithoutPort(
            ("Fleet:Database", address), ("Fleet:HostDatabase", new NpgsqlConnectionStringBuilder(address) { Username = user }.ConnectionString), ("Fleet:Engine", "local")))
        {
            await Eventually.IsAsync(async () => await ConnectionsAsync() == 1);
        }

        await Eventually.IsAsync(async () => await ConnectionsAsync() == 0);

        async Task<long> ConnectionsAsync() => (await database.QueryAsync($"select count(*) from pg_stat_activity where usename = '{user}'", static row => row.GetInt64(0), Cancelled))[0];
    }

    [Fact]
    public async Task FleetStatus_ThatWatches_WritesEachChangeOnce()
    {
        var options = TestFleet.Options(await server.CreateDatabaseAsync());
        await using var database = new FleetDatabase(options);
        var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", options.Database!));
        using var output = new StringWriter();
        using var error = new StringWriter();
        var shown = TextWriter.Synchronized(output);
        var watching = Task.Run(() => BridgeCommand.RunAsync(["fleet", "status", "--watch", "--json", "--url", gateway.Client.BaseAddress!.ToString()], shown, error), Cancelled);
        await Eventually.Is(() => Text().Contains("\"pending\":0", StringComparison.Ordinal) || watching.IsCompleted);
        await new SessionRegistry(database, options).CreateAsync(new NewSessions("game.gba", 1, "lab", "mine"), Cancelled);
        await Eventually.Is(() => Text().Contains("\"pending\":1", StringComparison.Ordinal) || watching.IsCompleted);
        Assert.False(watching.IsCompleted, $"{Text()}{error}");
        await gateway.DisposeAsync();
        Assert.Equal(ExitCodes.NotReachable, (await watching).Item1);
        var lines = Text().TrimEnd().Split('\n');
        Assert.Equal(lines.Distinct(), lines);

        string Text()
        {
            lock (shown)
            {
                return output.ToString();
            }
        }
    }

    [Fact]
    public async Task FleetStatus_WithoutAFleet_SaysWhatToSet()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Discover", "false"));
        var run = await VerbRun.OfAsync("fleet", "status", "--url", gateway.Client.BaseAddress!.ToString());
        Assert.NotEqual(0, run.ExitCode);
        Assert.Contains("Bridge:Fleet:Database", run.Error, StringComparison.Ordinal);
    }

    // without room: what is created waits
    private static HostDescription Describe(string name) => new(Guid.NewGuid(), null, "162_0", name, "1.0", "127.0.0.1", 1, 0);
}
