namespace MgbaBridge.Gateway.Server;

/// <summary>Leaves a socket that was handed over in good order: new connections stay in its queue, and those that are open are asked to come
/// back, which then wait there as well.</summary>
internal sealed class QueueKeeper(PausableListeners listeners, Farewell farewell, TimeSpan patience, TimeProvider time) : HandingOver
{
    /// <inheritdoc/>
    public override Task StoppingAsync(CancellationToken cancellationToken)
    {
        listeners.Pause();
        farewell.Begin();
        return Task.Delay(patience, time, cancellationToken);
    }
}
