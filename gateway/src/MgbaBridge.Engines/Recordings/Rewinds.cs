using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Recordings;

/// <summary>The rings of states, at most one for each emulator.</summary>
public sealed class Rewinds : IAsyncDisposable
{
    private readonly Dictionary<EmulatorClient, RewindRing> _rings = [];
    private readonly Lock _gate = new();

    /// <summary>The ring of an emulator, or null.</summary>
    public RewindRing? Of(EmulatorClient emulator)
    {
        lock (_gate)
        {
            return _rings.GetValueOrDefault(emulator);
        }
    }

    /// <summary>Begins a ring in place of the one there was.</summary>
    public async Task<RewindRing> StartAsync(EmulatorClient emulator, long every, int most)
    {
        RewindRing? before;
        RewindRing ring;
        lock (_gate)
        {
            before = _rings.GetValueOrDefault(emulator);
            ring = new RewindRing(emulator, every, most);
            _rings[emulator] = ring;
        }

        if (before is not null)
        {
            await before.DisposeAsync();
        }

        return ring;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var emulator in _rings.Keys.ToArray())
        {
            await StopAsync(emulator);
        }
    }

    /// <summary>Ends the ring of an emulator. False when there was none.</summary>
    public async Task<bool> StopAsync(EmulatorClient emulator)
    {
        RewindRing? ring;
        lock (_gate)
        {
            _rings.Remove(emulator, out ring);
        }

        if (ring is not null)
        {
            await ring.DisposeAsync();
        }

        return ring is not null;
    }
}
