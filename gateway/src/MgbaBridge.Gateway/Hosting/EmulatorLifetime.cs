using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Emulator;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Connects when the gateway starts, and lets requests finish when it stops.</summary>
internal sealed class EmulatorLifetime(Emulators emulators, HttpOptions options, TimeProvider time) : IHostedLifecycleService
{
    /// <summary>Being made is being started: <see cref="Emulators"/> connects at once.</summary>
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>The server has stopped accepting and finished what ran; then the sockets to the emulators close quietly.</summary>
    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        using var patience = new CancellationTokenSource(options.DrainTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, patience.Token);
        await emulators.DrainAsync(either.Token);
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
