using System.Buffers;
using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Client.Emulator;

/// <summary>The emulators that the gateway drives, by id. Emulators can be added and removed while requests are served.</summary>
internal sealed class EmulatorRegistry : IAsyncDisposable
{
    private readonly TransportSettings _transport;
    private readonly TimeProvider _time;
    private readonly MemoryPool<byte> _memory;
    private readonly ILogger<EmulatorRegistry> _logger;
    private readonly Lock _changing = new();
    private IReadOnlyDictionary<string, EmulatorClient> _otherNames = FrozenDictionary<string, EmulatorClient>.Empty;
    private IReadOnlyList<UnusableScript> _unusable = [];
    private Listed _now;

    /// <summary>Creates a client for each, which starts to connect at once.</summary>
    public EmulatorRegistry(IReadOnlyList<ConnectedEmulatorOptions> emulators, TransportSettings transport, TimeProvider time, MemoryPool<byte> memory, ILogger<EmulatorRegistry> logger)
    {
        (_transport, _time, _memory, _logger) = (transport, time, memory, logger);
        OtherPrograms = new OtherPrograms(time);
        _now = new Listed([.. emulators.Select((emulator, index) => Connect(IdOf(emulator, index), emulator.Address))], _otherNames);
    }

    /// <summary>Raised for an emulator that was removed, before its connections close: forget what belongs to it.</summary>
    public event Action<EmulatorClient>? Removed;

    /// <summary>All, in the order of the settings; emulators that were added later follow.</summary>
    public IReadOnlyList<EmulatorClient> All => Volatile.Read(ref _now).All;

    /// <summary>Those that are no sessions of a fleet.</summary>
    public IEnumerable<EmulatorClient> WithoutOwner => All.Where(emulator => emulator.Owner is null);

    /// <summary>The programs that were met where a script was looked for.</summary>
    public OtherPrograms OtherPrograms { get; }

    /// <summary>The scripts of this machine that were found and cannot be used.</summary>
    public IReadOnlyList<UnusableScript> Unusable
    {
        get => Volatile.Read(ref _unusable);
        set => Volatile.Write(ref _unusable, value);
    }

    /// <summary>The emulator of paths without <c>/i/{id}</c>.</summary>
    public EmulatorClient First => All[0];

    /// <summary>The id of the emulator at this index.</summary>
    public static string IdOf(ConnectedEmulatorOptions emulator, int index) => emulator.Id ?? $"{index + 1}";

    /// <summary>Those that callers of an owner see; null for the operator, who sees all.</summary>
    public IEnumerable<EmulatorClient> SeenBy(string? owner) => owner is null ? All : All.Where(emulator => emulator.Owner == owner);

    /// <summary>The emulator with this id, if callers of this owner see it; for the operator (null), the first for no id.</summary>
    public bool TryGet(string? id, string? owner, [NotNullWhen(true)] out EmulatorClient? client)
    {
        var now = Volatile.Read(ref _now);
        client = id is not null ? now.ById.GetValueOrDefault(id) : now.All.Length > 0 && owner is null ? now.All[0] : null;
        client = owner is null || client?.Owner == owner ? client : null;
        return client is not null;
    }

    /// <summary>Adds an emulator, which begins to connect at once. Null when the id is taken.</summary>
    public EmulatorClient? Add(string id, EmulatorAddress address, HostLease? lease = null, string? owner = null, UntilStored? untilStored = null)
    {
        lock (_changing)
        {
            if (_now.All.Any(other => other.Id == id))
            {
                return null;
            }

            var client = Connect(id, address, lease, owner, untilStored);
            Volatile.Write(ref _now, new Listed([.. _now.All, client], _otherNames));
            return client;
        }
    }

    /// <summary>Sets the ids by which emulators are found besides their own.</summary>
    public void SetOtherNames(IReadOnlyDictionary<string, EmulatorClient> names)
    {
        lock (_changing)
        {
            if (names.Count != _otherNames.Count || names.Any(name => _otherNames.GetValueOrDefault(name.Key) != name.Value))
            {
                _otherNames = names;
                Volatile.Write(ref _now, new Listed(_now.All, names));
            }
        }
    }

    /// <summary>Removes an emulator: new requests do not find it, its streams end, requests under way finish until
    /// <paramref name="cancellationToken"/>, then its connections close.</summary>
    /// <param name="client">The emulator.</param>
    /// <param name="cancellationToken">Ends the wait for its requests.</param>
    /// <param name="heir">The emulator that is found by its id from now on, or null.</param>
    public async Task RemoveAsync(EmulatorClient client, CancellationToken cancellationToken, EmulatorClient? heir = null)
    {
        lock (_changing)
        {
            if (!_now.All.Contains(client))
            {
                return;
            }

            if (heir is not null)
            {
                _otherNames = new Dictionary<string, EmulatorClient>(_otherNames) { [client.Id] = heir };
            }

            Volatile.Write(ref _now, new Listed([.. _now.All.Where(other => other != client)], _otherNames));
        }

        Removed?.Invoke(client);
        await client.Streams.EndAsync(cancellationToken);
        await client.DrainAsync(cancellationToken);
        await client.DisposeAsync();
    }

    /// <summary>Waits for the pending requests of all, at most until <paramref name="cancellationToken"/>.</summary>
    public Task DrainAsync(CancellationToken cancellationToken) => Task.WhenAll(All.Select(client => client.DrainAsync(cancellationToken)));

    public async ValueTask DisposeAsync()
    {
        foreach (var client in All)
        {
            await client.DisposeAsync();
        }
    }

    private EmulatorClient Connect(string id, EmulatorAddress address, HostLease? lease = null, string? owner = null, UntilStored? untilStored = null) =>
        new(id, address, _transport, _time, _memory, _logger, OtherPrograms) { Lease = lease, Owner = owner, UntilStored = untilStored };

    private sealed class Listed(EmulatorClient[] all, IReadOnlyDictionary<string, EmulatorClient> otherNames)
    {
        public EmulatorClient[] All { get; } = all;

        public FrozenDictionary<string, EmulatorClient> ById { get; } = otherNames.Where(name => all.Contains(name.Value))
            .Concat(all.Select(client => KeyValuePair.Create(client.Id, client))).GroupBy(entry => entry.Key).ToFrozenDictionary(entries => entries.Key, entries => entries.Last().Value);
    }
}

/// <summary>A script of this machine that was found and cannot be used.</summary>
/// <param name="Id">Its name in lists; it has no paths.</param>
/// <param name="Port">Its port.</param>
/// <param name="State">Why it cannot be used.</param>
/// <param name="Since">Since when that is known.</param>
/// <param name="Detail">What to change.</param>
internal sealed record UnusableScript(string Id, int Port, EmulatorState State, DateTimeOffset Since, string Detail);
