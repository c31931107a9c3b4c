using System.Collections.Concurrent;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Interfaces.Doors;

/// <summary>A server for clients of another emulator's protocol: it serves each emulator on a port of its own, for as long as the gateway has the emulator.</summary>
internal abstract class DoorServer(EmulatorRegistry emulators, TimeProvider time) : BackgroundService
{
    /// <summary>How often it looks for emulators that were added, and for a free port.</summary>
    protected static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(250);

    private readonly ConcurrentDictionary<string, Task> _serving = new();

    /// <summary>The clock.</summary>
    protected TimeProvider Time => time;

    /// <summary>Serves an emulator until it is removed or the gateway stops, which cancels <paramref name="cancelled"/>.</summary>
    protected abstract Task ServeAsync(EmulatorClient emulator, CancellationToken cancelled);

    /// <summary>Shows a client's message: in mGBA's Scripting window, and as an event.</summary>
    internal static async Task ShowAsync(EmulatorClient emulator, string message, RequestOptions options, CancellationToken cancelled)
    {
        emulator.Announce("emulator.message", message);
        using var reply = await emulator.SendAsync(new WriteConsole(ConsoleLevel.Log, message), options, cancelled);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        try
        {
            using var timer = new PeriodicTimer(LookEvery, time);
            do
            {
                foreach (var emulator in emulators.All)
                {
                    _ = _serving.GetOrAdd(emulator.Id, _ => ServeUntilRemovedAsync(emulator, stoppingToken));
                }
            }
            while (await timer.WaitForNextTickAsync(stoppingToken));
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(_serving.Values);
        }
    }

    private async Task ServeUntilRemovedAsync(EmulatorClient emulator, CancellationToken stoppingToken)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken, emulator.Streams.Removed);
        try
        {
            await ServeAsync(emulator, ended.Token);
        }
        catch (OperationCanceledException)
        {
            _serving.TryRemove(emulator.Id, out _);
        }
    }
}
