using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Search;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Interfaces.Http;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Connects and starts emulators when the gateway starts, and lets requests finish when it stops.</summary>
internal sealed class EmulatorLifetime(
    EmulatorRegistry emulators, Supervisor supervisor, Programs programs, OwnedEmulatorOptions owned, Rewinds rewinds, RecordingStore recordings, Searches searches, HttpOptions options, TimeProvider time)
    : IHostedLifecycleService
{
    /// <summary>Clients connect as soon as they are made. Emulators of the settings start one after the other, so that ids follow the order.</summary>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        emulators.Removed += client => _ = ForgetAsync(client);
        var patch = owned.Patch is { } path ? Path.GetFullPath(path) : null;
        foreach (var (index, rom) in owned.Roms.Index())
        {
            var file = rom == OwnedEmulatorOptions.TestGame ? programs.TestGame : Path.GetFullPath(rom);
            var result = await supervisor.StartAsync(new EmulatorRequest(file, Fps: owned.Fps, Window: owned.Window, Port: owned.ScriptPort + index, Continues: !owned.Fresh, Patch: patch));
            if (result.Detail is { } detail)
            {
                throw new EmulatorStartException(detail);
            }
        }
    }

    /// <summary>The server has stopped accepting and finished what ran; then the sockets to the emulators close quietly, and the owned ones end.</summary>
    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        using var timeLimit = new CancellationTokenSource(options.DrainTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeLimit.Token);
        await emulators.DrainAsync(either.Token);
        await supervisor.StopAllAsync();
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>From now on the end of an owned emulator is not a failure: Ctrl-C may reach them as well.</summary>
    public Task StoppingAsync(CancellationToken cancellationToken) => supervisor.ReleaseAllAsync();

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private async Task ForgetAsync(EmulatorClient client)
    {
        await rewinds.StopAsync(client);
        foreach (var recorder in recordings.Of(client))
        {
            await recordings.ForgetAsync(recorder);
        }

        foreach (var search in searches.Of(client))
        {
            searches.Remove(search);
        }
    }
}

/// <summary>An emulator that the settings name does not start.</summary>
internal sealed class EmulatorStartException(string message) : Exception(message);
