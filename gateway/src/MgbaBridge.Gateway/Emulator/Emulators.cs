using System.Buffers;
using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>The emulators that the gateway drives, by id.</summary>
public sealed class Emulators : IAsyncDisposable
{
    private readonly FrozenDictionary<string, EmulatorClient> _byId;

    /// <summary>Creates a client for each, which starts to connect at once.</summary>
    public Emulators(IReadOnlyList<EmulatorOptions> emulators, TransportSettings transport, TimeProvider time, MemoryPool<byte> memory, ILogger<Emulators> logger)
    {
        All = [.. emulators.Select((emulator, index) => new EmulatorClient(IdOf(emulator, index), emulator.Address, transport, time, memory, logger))];
        _byId = All.ToFrozenDictionary(client => client.Id);
    }

    /// <summary>All emulators, in the order of the settings.</summary>
    public IReadOnlyList<EmulatorClient> All { get; }

    /// <summary>The emulator of paths without <c>/i/{id}</c>.</summary>
    public EmulatorClient First => All[0];

    /// <summary>The id of the emulator at this index.</summary>
    public static string IdOf(EmulatorOptions emulator, int index) => emulator.Id ?? $"{index + 1}";

    /// <summary>The emulator with this id; the first for null.</summary>
    public bool TryGet(string? id, [NotNullWhen(true)] out EmulatorClient? client)
    {
        client = id is null ? First : _byId.GetValueOrDefault(id);
        return client is not null;
    }

    /// <summary>Waits for the pending requests of all, at most until <paramref name="cancellationToken"/>.</summary>
    public Task DrainAsync(CancellationToken cancellationToken) => Task.WhenAll(All.Select(client => client.DrainAsync(cancellationToken)));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var client in All)
        {
            await client.DisposeAsync();
        }
    }
}
