namespace MgbaBridge.Gateway.Hosting;

/// <summary>What has to be done at some moments of the program's life; nothing at those that are not overridden.</summary>
internal abstract class HostedLifecycle : IHostedLifecycleService
{
    public virtual Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public virtual Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public virtual Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public virtual Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public virtual Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public virtual Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
