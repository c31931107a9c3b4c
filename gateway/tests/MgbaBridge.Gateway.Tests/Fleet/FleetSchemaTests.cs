using MgbaBridge.Fleet.Registry;
using Npgsql;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>Programs of an older version continue beside a newer schema: their statements find all that they know, and need not know what is new.</summary>
public sealed class FleetSchemaTests(PostgresServer server)
{
    // what a statement relies on , and whether it demands something of a statement that does not know it
    private const string Inventory = """
        select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default), table_name::text, is_nullable = 'NO' and column_default is null
          from information_schema.columns where table_schema = 'mgba_fleet'
        union all
        select format('constraint of %s: %s', relname, pg_get_constraintdef(con.oid)), relname::text, true
          from pg_constraint con join pg_class on pg_class.oid = conrelid where connamespace = 'mgba_fleet'::regnamespace
        union all
        select 'index ' || pg_get_indexdef(indexrelid), relname::text, true
          from pg_index join pg_class on pg_class.oid = indrelid where relnamespace = 'mgba_fleet'::regnamespace and indisunique
        union all
        select format('trigger of %s: %s', relname, tgname), relname::text, true
          from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = 'mgba_fleet'::regnamespace and not tgisinternal
        union all
        select 'function ' || pg_get_functiondef(oid), '', false
          from pg_proc where pronamespace = 'mgba_fleet'::regnamespace
        """;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task EachVersion_OnlyAddsToTheOneBefore()
    {
        await using var database = NpgsqlDataSource.Create(await server.CreateDatabaseAsync());
        await RunAsync(database, FleetDatabase.Migration(0));
        for (var version = 1; version <= FleetDatabase.SchemaVersion; version++)
        {
            Assert.Empty(await ProblemsAsync(database, FleetDatabase.Migration(version)));
        }

        Assert.Throws<InvalidOperationException>(() => FleetDatabase.Migration(FleetDatabase.SchemaVersion + 1)); // there is no other one
        Assert.Empty(await ProblemsAsync(database, FleetDatabase.Migration(0)));
    }

    /// <summary>What the test above would find.</summary>
    [Theory]
    [InlineData("alter table mgba_fleet.hosts drop column capacity", "column hosts.capacity integer NO  is missing")]
    [InlineData("alter table mgba_fleet.hosts rename column name to machine", "column hosts.name text NO  is missing")]
    [InlineData("alter table mgba_fleet.hosts alter column port type bigint", "column hosts.port integer NO  is missing")]
    [InlineData("alter table mgba_fleet.sessions alter column failures drop default", "column sessions.failures integer NO 0 is missing")]
    [InlineData("drop table mgba_fleet.blobs cascade", "column blobs.content bytea NO  is missing")]
    [InlineData("alter table mgba_fleet.hosts add column region text not null", "column hosts.region text NO  is required")]
    [InlineData("alter table mgba_fleet.hosts add check (port > 0)", "constraint of hosts: CHECK ((port > 0)) is required")]
    [InlineData("create unique index by_name on mgba_fleet.hosts (name)", "index CREATE UNIQUE INDEX by_name ON mgba_fleet.hosts USING btree (name) is required")]
    [InlineData("drop function mgba_fleet.moment cascade", "function CREATE OR REPLACE FUNCTION mgba_fleet.moment()")]
    public async Task Change_ThatOlderProgramsCannotUse_IsFound(string change, string problem)
    {
        await using var database = await CreateAsync();
        Assert.Contains(await ProblemsAsync(database, change), found => found.StartsWith(problem, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("create table mgba_fleet.regions (name text primary key check (name <> ''))")]
    [InlineData("alter table mgba_fleet.hosts add column region text, add column weight integer not null default 1")]
    [InlineData("create index by_name on mgba_fleet.hosts (name)")]
    public async Task Change_ThatOnlyAdds_IsAccepted(string change)
    {
        await using var database = await CreateAsync();
        Assert.Empty(await ProblemsAsync(database, change));
    }

    /// <summary>A database with the schema of this version.</summary>
    private async Task<NpgsqlDataSource> CreateAsync()
    {
        var database = NpgsqlDataSource.Create(await server.CreateDatabaseAsync());
        for (var version = 0; version <= FleetDatabase.SchemaVersion; version++)
        {
            await RunAsync(database, FleetDatabase.Migration(version));
        }

        return database;
    }

    /// <summary>Makes a change, and returns what it took away and what it demands of the tables of before.</summary>
    private static async Task<string[]> ProblemsAsync(NpgsqlDataSource database, string change)
    {
        var before = await ReadAsync(database);
        await RunAsync(database, change);
        var after = await ReadAsync(database);
        var tables = before.Select(item => item.Table).ToHashSet();
        return
        [
            .. before.Except(after).Select(item => $"{item.Name} is missing"),
            .. after.Except(before).Where(item => item.IsDuty && tables.Contains(item.Table)).Select(item => $"{item.Name} is required"),
        ];
    }

    private static async Task<List<(string Name, string Table, bool IsDuty)>> ReadAsync(NpgsqlDataSource database)
    {
        await using var command = database.CreateCommand(Inventory);
        await using var reader = await command.ExecuteReaderAsync(Cancelled);
        var items = new List<(string, string, bool)>();
        while (await reader.ReadAsync(Cancelled))
        {
            items.Add((reader.GetString(0), reader.GetString(1), reader.GetBoolean(2)));
        }

        return items;
    }

    private static async Task RunAsync(NpgsqlDataSource database, string sql)
    {
        await using var command = database.CreateCommand(sql);
        await command.ExecuteNonQueryAsync(Cancelled);
    }
}
