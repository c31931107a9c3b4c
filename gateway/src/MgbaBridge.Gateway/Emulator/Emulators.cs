using System.Buffers;
using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>The emulators that the gateway drives, by id.</summary>
public sealed class Emulators : IAsyncDisposable
{
    private readonly FrozenDictionary<string, EmulatorClient> _byId;

    /// <summary>Makes a client for each, all of which begin to connect at once.</summary>
    public Emulators(IReadOnlyList<EmulatorOptions> emulators, TransportSettings transport, TimeProvider time, MemoryPool<byte> memory, ILogger<Emulators> logger)
    {
        All = [.. emulators.Select((emulator, index) => new EmulatorClient(IdOf(emulator, index), emulator.Address, transport, time, memory, logger))];
        _byId = All.ToFrozenDictionary(client => client.Id);
    }

    /// <summary>All, in the order of the settings.</summary>
    public IReadOnlyList<EmulatorClient> All { get; }

    /// <summary>The one that paths without <c>/i/{id}</c> mean.</summary>
    public EmulatorClient First => All[0];

    /// <summary>The id of an emulator at this place in the list.</summary>
    public static string IdOf(EmulatorOptions emulator, int index) => emulator.Id ?? $"{index + 1}";

    /// <summary>The one with this id; the first for null.</summary>
    public bool TryGet(string? id, [NotNullWhen(true)] out EmulatorClient? client)
    {
        client = id is null ? First : _byId.GetValueOrDefault(id);
        return client is not null;
    }

    /// <summary>Lets all finish what they do, at most until <paramref name="cancellationToken"/>.</summary>
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
