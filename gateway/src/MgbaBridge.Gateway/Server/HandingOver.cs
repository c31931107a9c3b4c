namespace MgbaBridge.Gateway.Server;

/// <summary>What has to be done before the server stops, while it still answers.</summary>
internal abstract class HandingOver : IHostedLifecycleService
{
    public abstract Task StoppingAsync(CancellationToken cancellationToken);

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
