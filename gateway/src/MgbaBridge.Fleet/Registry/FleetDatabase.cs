using System.Globalization;
using System.Net.Sockets;
using Npgsql;

namespace MgbaBridge.Fleet.Registry;

/// <summary>The database of a fleet: connections, the version of the schema, and whether it is reachable.</summary>
public sealed class FleetDatabase : IAsyncDisposable
{
    /// <summary>The version of the schema that this program needs: the number of migrations.</summary>
    public const int SchemaVersion = 3;

    // any number, but the same in all programs: who migrates, and who leads
    private const long MigrationLock = 0x6D67_6261_0001;

    private static readonly TimeSpan MaxSilence = TimeSpan.FromSeconds(20);

    private readonly string _fleet;
    private readonly SemaphoreSlim _opening = new(1, 1);
    private volatile bool _checked;

    /// <summary>Connects when it is used first.</summary>
    /// <param name="options">Where the database is, and the fleet's name.</param>
    /// <param name="maxConnections">Connections at once, if the setting permits more.</param>
    /// <param name="ofHosts">Whether it connects as jobs of an engine do.</param>
    /// <exception cref="FleetException">The setting is not a connection string.</exception>
    public FleetDatabase(FleetOptions options, int maxConnections = int.MaxValue, bool ofHosts = false)
    {
        _fleet = options.Name;
        var (setting, value) = ofHosts ? (nameof(options.HostDatabase), options.HostDatabase) : (nameof(options.Database), options.Database);
        try
        {
            // without a limit on retries and pools of its own: each command is short, and the caller decides what happens when it fails
            var address = new NpgsqlConnectionStringBuilder(value) { ApplicationName = $"mgba-bridge {options.Name}", Enlist = false };
            address.MaxPoolSize = Math.Min(address.MaxPoolSize, maxConnections);
            address.Timeout = Math.Min(address.Timeout, (int)options.CommandTimeout.TotalSeconds);
            address.CommandTimeout = Math.Min(address.CommandTimeout, (int)options.CommandTimeout.TotalSeconds);
            address.KeepAlive = address.KeepAlive == 0 ? (int)options.CommandTimeout.TotalSeconds : address.KeepAlive;
            address.Options = $"{NoticeLostClients(options.LeaseTime)} {address.Options}".TrimEnd(); // what the setting itself names comes later, and applies
            var builder = new NpgsqlSlimDataSourceBuilder(address.ConnectionString);
            builder.EnableArrays();
            builder.EnableTransportSecurity();
            Source = builder.Build();
        }
        catch (Exception exception) when (exception is ArgumentException or FormatException or KeyNotFoundException)
        {
            throw new FleetException(FleetProblem.WrongDatabase, $"Bridge:Fleet:{setting} is not a connection string: {exception.Message}", exception);
        }
    }

    /// <summary>The connections.</summary>
    internal NpgsqlDataSource Source { get; }

    /// <summary>Runs statements on an open connection.</summary>
    /// <exception cref="FleetException">The database cannot be reached, refused them, or belongs to another fleet or program version.</exception>
    internal async Task<T> RunAsync<T>(Func<NpgsqlConnection, CancellationToken, Task<T>> work, CancellationToken cancellationToken)
    {
        try
        {
            await EnsureCheckedAsync(cancellationToken);
            await using var connection = await Source.OpenConnectionAsync(cancellationToken);
            return await work(connection, cancellationToken);
        }
        catch (Exception exception) when (IsOfTheDatabase(exception))
        {
            throw Translate(exception);
        }
    }

    /// <summary>Runs one statement that returns a number of rows.</summary>
    internal Task<List<T>> QueryAsync<T>(string sql, Func<NpgsqlDataReader, T> read, CancellationToken cancellationToken, params NpgsqlParameter[] parameters) => RunAsync(async (connection, cancelled) =>
    {
        await using var command = new NpgsqlCommand(sql, connection);
        command.Parameters.AddRange(parameters);
        await using var reader = await command.ExecuteReaderAsync(cancelled);
        var rows = new List<T>();
        while (await reader.ReadAsync(cancelled))
        {
            rows.Add(read(reader));
        }

        return rows;
    }, cancellationToken);

    /// <summary>Runs one statement. Returns how many rows it changed.</summary>
    internal Task<int> ExecuteAsync(string sql, CancellationToken cancellationToken, params NpgsqlParameter[] parameters) => RunAsync(async (connection, cancelled) =>
    {
        await using var command = new NpgsqlCommand(sql, connection);
        command.Parameters.AddRange(parameters);
        return await command.ExecuteNonQueryAsync(cancelled);
    }, cancellationToken);

    /// <summary>Why <paramref name="other"/> does not reach this database, or null. Nothing is changed there.</summary>
    /// <exception cref="FleetException">This database cannot be used.</exception>
    internal async Task<string?> ReasonNotReachedByAsync(FleetDatabase other, CancellationToken cancellationToken)
    {
        const string Id = "select id from mgba_fleet.fleet";
        var id = (await QueryAsync(Id, static row => row.GetGuid(0), cancellationToken))[0];
        try
        {
            await using var connection = await other.Source.OpenConnectionAsync(cancellationToken);
            await using var command = new NpgsqlCommand(Id, connection);
            return await command.ExecuteScalarAsync(cancellationToken) is Guid found && found == id ? null : "it is the database of another fleet";
        }
        catch (Exception exception) when (IsOfTheDatabase(exception))
        {
            return exception is PostgresException failure ? failure.MessageText : exception.Message;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Source.DisposeAsync();
        _opening.Dispose();
    }

    /// <summary>Whether an exception came from the database or the way to it.</summary>
    internal static bool IsOfTheDatabase(Exception exception) => exception is NpgsqlException or SocketException or TimeoutException or IOException;

    /// <summary>The same as a problem of the fleet.</summary>
    internal static FleetException Translate(Exception exception) => exception switch
    {
        PostgresException { SqlState: PostgresErrorCodes.DiskFull } full => new FleetException(
            FleetProblem.Unavailable, $"The disk of the fleet's database is full: {full.MessageText}. Free space there; nothing was stored.", full),
        PostgresException { SqlState: PostgresErrorCodes.InvalidPassword or PostgresErrorCodes.InvalidAuthorizationSpecification or PostgresErrorCodes.InvalidCatalogName or PostgresErrorCodes.InsufficientPrivilege } refused =>
            new FleetException(FleetProblem.WrongDatabase, $"The fleet's database refuses this program: {refused.MessageText}. {AdviceFor(refused.SqlState)}", refused),
        PostgresException { IsTransient: false } defect => new FleetException(FleetProblem.Unavailable, $"The fleet's database failed: {defect.SqlState} {defect.MessageText}.", defect),
        _ => new FleetException(FleetProblem.Unavailable, $"The fleet's database cannot be reached: {exception.Message}", exception),
    };

    private static string AdviceFor(string sqlState) => sqlState == PostgresErrorCodes.InsufficientPrivilege
        ? "Its user is to own the schema mgba_fleet. For one with the role mgba_fleet_host start a gateway of this version, and run deploy/postgresql/hosts.sql of it again."
        : sqlState == PostgresErrorCodes.InvalidAuthorizationSpecification
        ? $"Correct Bridge:Fleet:Database. Without a password PostgreSQL may require that its user has the name of the system's: this program runs as {Environment.UserName}. Run it as that user, or set Host=127.0.0.1 and a password."
        : "Correct Bridge:Fleet:Database; for jobs of an engine, Bridge:Fleet:HostDatabase of the gateway.";

    /// <summary>
    /// Lets the server end connections of a machine that is gone within two thirds of a lease time, at most 20 s. By itself it takes hours: for so long
    /// a lost gateway would hold the lock of the leader, and lost hosts their connections. Another gateway leads before the leases of hosts end that
    /// were lost with it.
    /// </summary>
    private static string NoticeLostClients(TimeSpan leaseTime)
    {
        const int Probes = 2;
        var limit = leaseTime * 2 / 3 < MaxSilence ? leaseTime * 2 / 3 : MaxSilence;
        var pause = Math.Max(1, (int)(limit.TotalSeconds / (Probes + 1)));
        return string.Create(
            CultureInfo.InvariantCulture,
            $"-c tcp_keepalives_idle={pause} -c tcp_keepalives_interval={pause} -c tcp_keepalives_count={Probes} -c tcp_user_timeout={(int)limit.TotalMilliseconds}");
    }

    private async Task EnsureCheckedAsync(CancellationToken cancellationToken)
    {
        if (_checked)
        {
            return;
        }

        await _opening.WaitAsync(cancellationToken);
        try
        {
            if (!_checked)
            {
                await using var connection = await Source.OpenConnectionAsync(cancellationToken);
                var (name, version) = await FindAsync(connection, cancellationToken);
                Check(name, version);
                if (version < SchemaVersion)
                {
                    await MigrateAsync(connection, cancellationToken);
                }

                _checked = true;
            }
        }
        finally
        {
            _opening.Release();
        }
    }

    /// <summary>One program at a time makes or updates the schema; the others wait for it.</summary>
    private async Task MigrateAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await using var transaction = await connection.BeginTransactionAsync(cancellationToken);
        await RunAsync(connection, string.Create(CultureInfo.InvariantCulture, $"select pg_advisory_xact_lock({MigrationLock})"), cancellationToken);
        await RunAsync(connection, Migration(0), cancellationToken);
        var (name, version) = await ReadAsync(connection, cancellationToken);
        Check(name, version);
        for (var next = version + 1; next <= SchemaVersion; next++)
        {
            await RunAsync(connection, Migration(next), cancellationToken);
        }

        await using var write = new NpgsqlCommand("insert into mgba_fleet.fleet (name, schema_version) values ($1, $2) on conflict (only_row) do update set schema_version = $2", connection);
        write.Parameters.Add(Sql.Text(_fleet));
        write.Parameters.Add(Sql.Integer(SchemaVersion));
        await write.ExecuteNonQueryAsync(cancellationToken);
        await transaction.CommitAsync(cancellationToken);
    }

    private void Check(string? name, int version)
    {
        if (name is not null && name != _fleet)
        {
            throw new FleetException(
                FleetProblem.WrongDatabase, $"The database belongs to the fleet {name}, and this program to the fleet {_fleet}. Set Bridge:Fleet:Name to {name}, or give this fleet a database of its own.");
        }

        if (version > SchemaVersion)
        {
            throw new FleetException(
                FleetProblem.WrongDatabase, $"The schema of the fleet's database has version {version}; this program knows versions up to {SchemaVersion}. Update this program to the version of the others.");
        }
    }

    /// <summary>The same for a database that may have no schema yet. Programs that need not make or update it need no right to.</summary>
    private static async Task<(string? Name, int Version)> FindAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        try
        {
            return await ReadAsync(connection, cancellationToken);
        }
        catch (PostgresException exception) when (exception.SqlState is PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.InvalidSchemaName)
        {
            return (null, 0);
        }
    }

    private static async Task<(string? Name, int Version)> ReadAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand("select name, schema_version from mgba_fleet.fleet", connection);
        await using var reader = await command.ExecuteReaderAsync(cancellationToken);
        return await reader.ReadAsync(cancellationToken) ? (reader.GetString(0), reader.GetInt32(1)) : (null, 0);
    }

    private static async Task RunAsync(NpgsqlConnection connection, string sql, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(cancellationToken);
    }

    /// <summary>The statements that make a version of the schema from the one before; those of version 0 may run again.</summary>
    internal static string Migration(int number)
    {
        var name = string.Create(CultureInfo.InvariantCulture, $"fleet/{number:0000}.sql");
        using var resource = typeof(FleetDatabase).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException($"{name} is missing in this program.");
        using var reader = new StreamReader(resource);
        return reader.ReadToEnd();
    }
}

/// <summary>What is wrong with the fleet.</summary>
public enum FleetProblem
{
    /// <summary>The database cannot be used at the moment.</summary>
    Unavailable,

    /// <summary>The database is not the one of this fleet and program; retrying does not help.</summary>
    WrongDatabase,
}

/// <summary>The fleet cannot do what was requested.</summary>
public sealed class FleetException(FleetProblem problem, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>What is wrong.</summary>
    public FleetProblem Problem { get; } = problem;
}
