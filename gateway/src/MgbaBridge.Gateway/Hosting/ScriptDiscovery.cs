using System.Globalization;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// Adds the scripts on the ports from <see cref="TransportOptions.FirstScriptPort"/> of this machine as emulators, and removes those that have ended.
/// An emulator of the settings without a port and without a nonce takes the lowest one itself. Every script has the id <c>game-port</c>, also one that
/// an emulator of the settings uses.
/// </summary>
/// <param name="emulators">Where they are added.</param>
/// <param name="probes">Looks what listens on a port.</param>
/// <param name="settings">The ports on which scripts are searched.</param>
/// <param name="readListeners">What listens on this machine.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where a failed look is reported.</param>
internal sealed class ScriptDiscovery(EmulatorRegistry emulators, ScriptProbes probes, TransportSettings settings, Func<LocalListeners> readListeners, TimeProvider time, ILogger<ScriptDiscovery> logger) : BackgroundService
{
    private const int MaxTitle = 24;

    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(2);

    private readonly Dictionary<int, EmulatorClient> _added = [];
    private readonly Dictionary<int, string> _ids = [];
    private HashSet<int> _before = [];

    /// <summary>The id of a script: its game's title in lower case, other characters as dashes, and the port.</summary>
    internal static string IdOf(string? title, int port)
    {
        var name = string.Concat((title ?? "").ToLowerInvariant().Select(letter => char.IsAsciiLetterOrDigit(letter) ? letter : '-'));
        name = name[..Math.Min(name.Length, MaxTitle)].Trim('-');
        return string.Create(CultureInfo.InvariantCulture, $"{(name.Length == 0 ? "game" : name)}-{port}");
    }

    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken);
        await probes.DisposeAsync();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        try
        {
            while (true)
            {
                await Task.Delay(Interval, time, stoppingToken);
                try
                {
                    await LookAsync(stoppingToken);
                }
                catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
                {
                    GatewayLog.DiscoveryFailed(logger, exception.Message);
                }
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            // it is stopped
        }
    }

    private async Task LookAsync(CancellationToken cancellationToken)
    {
        var listeners = readListeners();
        HashSet<int> listening = [.. listeners.Ports.Where(settings.Now.ScriptPorts.Contains)];
        await RemoveEndedAsync(listening, cancellationToken);
        if (!Others().Any(emulator => emulator.Address is { Port: null, Nonce: null } && PortOf(emulator) is null))
        {
            await AddNewAsync([.. listening.Order().Where(port => !_added.ContainsKey(port) && !Others().Any(emulator => PortOf(emulator) == port))], listeners, cancellationToken);
        }

        NameOthers();
        emulators.Unusable = probes.Unusable;
    }

    /// <summary>A script that is loaded again leaves its port for a moment, so it has ended only when nobody listens in two looks.</summary>
    private async Task RemoveEndedAsync(HashSet<int> listening, CancellationToken cancellationToken)
    {
        var known = listening.Union(_before).ToHashSet();
        _before = listening;
        await probes.ForgetAsync(known);
        foreach (var port in _ids.Keys.Where(port => !known.Contains(port)).ToArray())
        {
            _ids.Remove(port);
        }

        foreach (var (port, client) in _added.ToArray())
        {
            var heir = Others().FirstOrDefault(other => PortOf(other) == port);
            if (heir is not null || !known.Contains(port))
            {
                _added.Remove(port);
                using var timeLimit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
                timeLimit.CancelAfter(DrainTimeout);
                await emulators.RemoveAsync(client, timeLimit.Token, heir);
            }
        }
    }

    private async Task AddNewAsync(int[] ports, LocalListeners listeners, CancellationToken cancellationToken)
    {
        foreach (var (port, hello, address) in await probes.LookAsync(ports, listeners, cancellationToken))
        {
            var isOfAnother = Others().Any(emulator => emulator.Address.Nonce is { } nonce && nonce == hello.Nonce);
            if (!isOfAnother && emulators.Add(_ids[port] = IdOf(hello.Title, port), address) is { } client)
            {
                _added[port] = client;
            }
            else
            {
                probes.Postpone(port, listeners);
            }
        }
    }

    /// <summary>The emulators of the settings and those that the gateway started are found by the id of their script as well.</summary>
    private void NameOthers()
    {
        var names = new Dictionary<string, EmulatorClient>();
        foreach (var emulator in Others())
        {
            if (PortOf(emulator) is { } port && settings.Now.ScriptPorts.Contains(port) && emulator.Health.Hello is { } hello)
            {
                _ids.TryAdd(port, IdOf(hello.Title, port));
                names.TryAdd(_ids[port], emulator);
            }
        }

        emulators.SetOtherNames(names);
    }

    private IEnumerable<EmulatorClient> Others() => emulators.All.Where(emulator => !_added.ContainsValue(emulator) && LocalFiles.AreAt(emulator.Address.Host));

    // a configured port may be that of a tunnel, and differ from the script's own
    private static int? PortOf(EmulatorClient emulator) => emulator.Address.Port ?? (emulator.Health.IsConnected ? emulator.Health.Hello!.Port : null);
}
