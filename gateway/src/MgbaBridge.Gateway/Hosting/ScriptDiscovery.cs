using System.Buffers;
using System.Globalization;
using System.Net.NetworkInformation;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Protocol;
using MgbaBridge.Gateway.Transport;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// Adds the further scripts of this machine as emulators, and removes those that have ended. The first emulator finds the lowest port itself; every
/// other script on 8888..8903 gets the id <c>game-port</c>.
/// </summary>
internal sealed class ScriptDiscovery(Emulators emulators, TransportSettings settings, TimeProvider time) : BackgroundService
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan HelloTimeout = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(1);

    private readonly TransportSettings _alone = settings.Alone();
    private readonly Dictionary<int, EmulatorClient> _found = [];
    private readonly Dictionary<int, (TimeSpan Pause, long Since)> _others = [];

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Interval, time);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            // the first emulator takes the lowest port; until it has one there is nothing to add
            int[] listening = [.. IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners().Select(endPoint => endPoint.Port).Distinct()
                .Where(port => port is >= Wire.FirstPort and <= Wire.LastPort).Order()];
            await RemoveEndedAsync(listening, stoppingToken);
            if (emulators.All.Where(emulator => !_found.ContainsValue(emulator)).All(emulator => emulator.Health is { Answers: true, Hello: not null }))
            {
                await Task.WhenAll(listening.Where(MayTry).Select(port => TryAsync(port, stoppingToken)));
            }
        }
    }

    /// <summary>The id of a script: its game's title in lower case, other characters as dashes, and the port.</summary>
    internal static string IdOf(string? title, int port)
    {
        var name = string.Concat((title ?? "").ToLowerInvariant().Select(letter => char.IsAsciiLetterOrDigit(letter) ? letter : '-')).Trim('-');
        return string.Create(CultureInfo.InvariantCulture, $"{(name.Length == 0 ? "game" : name[..Math.Min(name.Length, 24)])}-{port}");
    }

    // a script that the first emulator has moved to is not listed twice
    private async Task RemoveEndedAsync(int[] listening, CancellationToken cancellationToken)
    {
        foreach (var (port, client) in _found.ToArray())
        {
            if (!listening.Contains(port) || emulators.All.Any(other => other != client && PortOf(other) == port))
            {
                _found.Remove(port);
                await emulators.RemoveAsync(client, cancellationToken);
            }
        }

        foreach (var port in _others.Keys.Except(listening).ToArray())
        {
            _others.Remove(port);
        }
    }

    private static int? PortOf(EmulatorClient emulator) => emulator.Health is { Answers: true, Hello: { } hello } ? hello.Port : null;

    private bool MayTry(int port) => !_found.ContainsKey(port) && !emulators.All.Any(emulator => PortOf(emulator) == port)
        && !(_others.TryGetValue(port, out var other) && time.GetElapsedTime(other.Since) < other.Pause);

    private async Task TryAsync(int port, CancellationToken cancellationToken)
    {
        var address = new EmulatorAddress { Port = port };
        HelloReply? hello;
        await using (var probe = new EmulatorClient("discovery", address, _alone, time, MemoryPool<byte>.Shared, NullLogger.Instance))
        {
            for (var since = time.GetTimestamp(); probe.Health.State is EmulatorState.Connecting && time.GetElapsedTime(since) < HelloTimeout;)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(20), time, cancellationToken);
            }

            hello = probe.Health is { Answers: true } health ? health.Hello : null;
        }

        lock (_found)
        {
            if (hello is not null && emulators.Add(IdOf(hello.Title, port), address) is { } client)
            {
                _found[port] = client;
                _others.Remove(port);
            }
            else
            {
                var pause = _others.TryGetValue(port, out var other) ? other.Pause * 2 : Interval * 2;
                _others[port] = (pause < LongestPause ? pause : LongestPause, time.GetTimestamp());
            }
        }
    }
}
