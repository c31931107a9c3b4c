using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Diagnostics;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Logs where the page is, and once that the gateway serves: it listens, and the emulator of paths without an id answers, if there is one.</summary>
internal sealed class ServingSignal(IServer server, EmulatorRegistry emulators, IHostApplicationLifetime lifetime, TimeProvider time, ILogger<ServingSignal> logger) : BackgroundService
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(50);

    /// <summary>Waits until the emulator of paths without an id answers; at once when there is none.</summary>
    public static async Task AnswersAsync(EmulatorRegistry emulators, TimeProvider time, CancellationToken cancellationToken)
    {
        while (emulators.TryGet(null, null, out var first) && !first.Health.Answers)
        {
            await Task.Delay(LookEvery, time, cancellationToken);
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var listens = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var started = lifetime.ApplicationStarted.Register(listens.SetResult);
        try
        {
            await listens.Task.WaitAsync(stoppingToken);
            IReadOnlyCollection<string> addresses = [.. server.Features.Get<IServerAddressesFeature>()?.Addresses ?? []];
            if (addresses.FirstOrDefault() is { } first)
            {
                GatewayLog.PageIsAt(logger, $"{RunAnnouncement.Local(first)}/");
            }

            await AnswersAsync(emulators, time, stoppingToken);
            GatewayLog.Serves(logger, string.Join(", ", addresses));
        }
        catch (OperationCanceledException)
        {
            // it stops before it served
        }
    }
}
