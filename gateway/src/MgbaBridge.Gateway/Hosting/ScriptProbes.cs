using System.Buffers;
using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// Looks what listens on ports of this machine. A port with another program is tried less and less often. A script that is silent, because its game is
/// paused, keeps its connection until it answers: it must not write to one that is closed.
/// </summary>
/// <param name="secrets">The secrets to try, in this order.</param>
/// <param name="settings">The settings of connections.</param>
/// <param name="others">The programs that the emulators of the gateway have met.</param>
/// <param name="time">The clock.</param>
internal sealed class ScriptProbes(IReadOnlyList<string> secrets, TransportSettings settings, OtherPrograms others, TimeProvider time) : IAsyncDisposable
{
    private static readonly TimeSpan HelloTimeout = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(20);

    private readonly TransportSettings _alone = settings.Alone();
    private readonly PortBackOff _backOff = new(time);
    private readonly Dictionary<int, EmulatorClient> _open = [];
    private readonly Dictionary<int, int> _rejectedSecrets = [];
    private readonly Dictionary<int, UnusableScript> _unusable = [];

    /// <summary>The scripts that refused the gateway, by port.</summary>
    public IReadOnlyList<UnusableScript> Unusable => [.. _unusable.OrderBy(entry => entry.Key).Select(entry => entry.Value)];

    /// <summary>Looks at those of the ports that are due. Returns the scripts that answer.</summary>
    public async Task<IReadOnlyList<(int Port, HelloReply Hello, EmulatorAddress Address)>> LookAsync(
        IReadOnlyList<int> ports, LocalListeners listeners, CancellationToken cancellationToken)
    {
        foreach (var port in ports.Where(port => !_open.ContainsKey(port) && _backOff.MayTry(port, listeners.IdentityAt(port))))
        {
            var address = new EmulatorAddress { Port = port, Secret = secrets.Count == 0 ? null : secrets[_rejectedSecrets.GetValueOrDefault(port)] };
            _open[port] = new EmulatorClient("discovery", address, _alone, time, MemoryPool<byte>.Shared, NullLogger.Instance, others);
        }

        for (var since = time.GetTimestamp(); _open.Values.Any(probe => probe.Health.State == EmulatorState.Connecting) && time.GetElapsedTime(since) < HelloTimeout;)
        {
            await Task.Delay(PollInterval, time, cancellationToken);
        }

        var found = new List<(int Port, HelloReply Hello, EmulatorAddress Address)>();
        foreach (var (port, probe) in _open.ToArray())
        {
            var health = probe.Health;
            if (health.State is not (EmulatorState.Connecting or EmulatorState.Silent))
            {
                await CloseAsync(port);
                Judge(port, health, listeners);
                if (health is { Answers: true, Hello: { } hello })
                {
                    found.Add((port, hello, probe.Address));
                }
            }
        }

        return found;
    }

    /// <summary>Tries this port later: what answers there cannot be added.</summary>
    public void Postpone(int port, LocalListeners listeners) => _backOff.Failed(port, listeners.IdentityAt(port));

    /// <summary>Forgets all ports but these, where nobody listens any more.</summary>
    public async Task ForgetAsync(IReadOnlySet<int> listening)
    {
        foreach (var port in _open.Keys.Concat(_unusable.Keys).Concat(_rejectedSecrets.Keys).Distinct().Where(port => !listening.Contains(port)).ToArray())
        {
            await CloseAsync(port);
            _unusable.Remove(port);
            _rejectedSecrets.Remove(port);
        }

        _backOff.Forget(listening);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var port in _open.Keys.ToArray())
        {
            await CloseAsync(port);
        }
    }

    private void Judge(int port, EmulatorHealth health, LocalListeners listeners)
    {
        if (health.Answers)
        {
            _unusable.Remove(port);
            return;
        }

        var rejected = health.State == EmulatorState.Refused ? _rejectedSecrets.GetValueOrDefault(port) + 1 : 0;
        _rejectedSecrets[port] = rejected < secrets.Count ? rejected : 0;
        if (rejected > 0 && rejected < secrets.Count)
        {
            return; // the next look tries the next secret
        }

        Postpone(port, listeners);
        if (health.State is EmulatorState.Refused or EmulatorState.WrongVersion || health.Failure == ErrorCode.OtherScript)
        {
            _unusable[port] = new UnusableScript(string.Create(CultureInfo.InvariantCulture, $"script-{port}"), port, health.State, health.Since, Detail(health));
        }
        else
        {
            _unusable.Remove(port);
        }
    }

    private static string Detail(EmulatorHealth health) => health.State == EmulatorState.Refused
        ? $"{health.Detail} For scripts that the gateway discovers, start it with MGBA_BRIDGE_SECRET in its environment."
        : health.Detail ?? "";

    private async Task CloseAsync(int port)
    {
        if (_open.Remove(port, out var probe))
        {
            await probe.DisposeAsync();
        }
    }
}

/// <summary>
/// When a port with something that cannot be used is tried again: after 2 s, then each time twice as long, at most a minute; or at once when another
/// socket listens there.
/// </summary>
/// <param name="time">The clock.</param>
internal sealed class PortBackOff(TimeProvider time)
{
    private static readonly TimeSpan First = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    private readonly Dictionary<int, (TimeSpan Pause, long Since, string? Listener)> _failed = [];

    /// <summary>Whether the port is due. <paramref name="listener"/> is what listens there.</summary>
    public bool MayTry(int port, string? listener) =>
        !_failed.TryGetValue(port, out var failed) || time.GetElapsedTime(failed.Since) >= failed.Pause || failed.Listener != listener;

    /// <summary>The port was tried in vain.</summary>
    public void Failed(int port, string? listener)
    {
        var pause = _failed.TryGetValue(port, out var failed) && failed.Listener == listener ? failed.Pause * 2 : First;
        _failed[port] = (pause < Longest ? pause : Longest, time.GetTimestamp(), listener);
    }

    /// <summary>Forgets all ports but these.</summary>
    public void Forget(IReadOnlySet<int> listening)
    {
        foreach (var port in _failed.Keys.Where(port => !listening.Contains(port)).ToArray())
        {
            _failed.Remove(port);
        }
    }
}
