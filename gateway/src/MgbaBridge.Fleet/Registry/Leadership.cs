using Npgsql;

namespace MgbaBridge.Fleet.Registry;

/// <summary>
/// Which gateway leads: the one whose connection holds an advisory lock. It ends with the connection, so there is at most one by the database's
/// account; a former leader that does not know it yet changes nothing, because each of its statements is conditional.
/// </summary>
/// <param name="database">The database.</param>
public sealed class Leadership(FleetDatabase database) : IAsyncDisposable
{
    private const long LeaderLock = 0x6D67_6261_0003;

    private NpgsqlConnection? _connection;

    /// <summary>Becomes the leader, or checks that it still is. False when another gateway leads.</summary>
    /// <exception cref="FleetException">The database cannot be used; then nobody knows.</exception>
    public async Task<bool> HoldAsync(CancellationToken cancellationToken)
    {
        try
        {
            if (_connection is { } held)
            {
                await using var check = new NpgsqlCommand("select 1", held);
                await check.ExecuteScalarAsync(cancellationToken);
                return true;
            }

            await database.RunAsync(static (_, _) => Task.FromResult(true), cancellationToken); // the schema is checked
            var connection = await database.Source.OpenConnectionAsync(cancellationToken);
            _connection = connection;
            await using var command = new NpgsqlCommand("select pg_try_advisory_lock($1)", connection);
            command.Parameters.Add(Sql.Long(LeaderLock));
            if (await command.ExecuteScalarAsync(cancellationToken) is true)
            {
                return true;
            }

            await DisposeAsync();
            return false;
        }
        catch (Exception exception) when (IsOfTheConnection(exception))
        {
            await DisposeAsync();
            throw FleetDatabase.Translate(exception);
        }
    }

    /// <summary>Leads no more.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_connection is { } connection)
        {
            _connection = null;
            await using (connection)
            {
                try
                {
                    // a pooled connection would keep the lock until it is used again
                    await using var unlock = new NpgsqlCommand("select pg_advisory_unlock_all()", connection);
                    await unlock.ExecuteNonQueryAsync(CancellationToken.None);
                }
                catch (Exception exception) when (IsOfTheConnection(exception))
                {
                    // the lock ended with the connection
                }
            }
        }
    }

    // InvalidOperationException: the keepalive has found the held connection broken, and closed it
    private static bool IsOfTheConnection(Exception exception) => FleetDatabase.IsOfTheDatabase(exception) || exception is InvalidOperationException;
}
