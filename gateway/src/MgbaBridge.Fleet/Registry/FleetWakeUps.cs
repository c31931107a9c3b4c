using Npgsql;

namespace MgbaBridge.Fleet.Registry;

/// <summary>
/// Ends the pause of a loop when the database announces a change. Lost announcements only cost the rest of the pause: every loop
/// looks by itself, too.
/// </summary>
/// <param name="database">The database.</param>
public sealed class FleetWakeUps(FleetDatabase database) : IAsyncDisposable
{
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);

    private readonly CancellationTokenSource _stopping = new();
    private readonly SemaphoreSlim _announced = new(0);
    private Task _listening = Task.CompletedTask;

    /// <summary>Begins to listen, which takes a connection. Otherwise only <see cref="Wake"/> ends pauses.</summary>
    public void Start() => _listening = Task.Run(ListenAsync);

    /// <summary>Waits for an announcement, at most so long. Returns whether there was one.</summary>
    public async Task<bool> WaitAsync(TimeSpan pause, CancellationToken cancellationToken)
    {
        var isAnnounced = await _announced.WaitAsync(pause, cancellationToken);
        while (_announced.Wait(0, CancellationToken.None))
        {
            // several announcements are one reason to look
        }

        return isAnnounced;
    }

    /// <summary>Ends the pause for a reason of this program.</summary>
    public void Wake()
    {
        try
        {
            _announced.Release();
        }
        catch (ObjectDisposedException)
        {
            // the loop has ended
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        await _listening;
        _stopping.Dispose();
        _announced.Dispose();
    }

    private async Task ListenAsync()
    {
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                await database.RunAsync(ListenAsync, _stopping.Token);
            }
            catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
            {
                return;
            }
            catch (Exception)
            {
                // the loop that waits looks at the database, and reports it; that it waits longer is no reason to end
                await Task.Delay(RetryAfter, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    private async Task<bool> ListenAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        connection.Notification += (_, _) => _announced.Release();
        await using (var listen = new NpgsqlCommand("listen mgba_fleet", connection))
        {
            await listen.ExecuteNonQueryAsync(cancellationToken);
        }

        _announced.Release(); // what was announced before the connection
        while (true)
        {
            await connection.WaitAsync(cancellationToken);
        }
    }
}
