using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Gateway.Operations.Fleet;

/// <summary>
/// Says in the database which programs run, whose streams are at this gateway. A temporary session ends when no gateway has said it of its program for
/// a while: so it outlives a broken connection, or a gateway, after which its program opens its stream again.
/// </summary>
/// <param name="streams">The streams.</param>
/// <param name="database">The database.</param>
/// <param name="options">The settings.</param>
/// <param name="time">The clock.</param>
internal sealed class TemporarySessions(HolderStreams streams, FleetDatabase database, FleetOptions options, TimeProvider time) : BackgroundService
{
    private static readonly TimeSpan Every = SessionRegistry.WithoutProgram / 4;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var registry = new SessionRegistry(database, options);
        using var timer = new PeriodicTimer(Every, time);
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken))
            {
                try
                {
                    if (streams.Open is { Length: > 0 } open)
                    {
                        await registry.RenewAsync(open, stoppingToken);
                    }
                }
                catch (FleetException)
                {
                    // the leader reports it, and deletes nothing meanwhile
                }
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            // the gateway stops
        }
    }
}
