using System.Security.Cryptography;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Search;

/// <summary>All searches of all emulators. Together they keep a bounded number of bytes, and an unused one is deleted.</summary>
public sealed class Searches : IDisposable
{
    /// <summary>The most bytes that one covers.</summary>
    public const int MaxRead = Limits.Length;

    /// <summary>How long an unused search is kept: longer than somebody needs to change the value that is searched.</summary>
    internal static readonly TimeSpan IdleTimeout = TimeSpan.FromMinutes(10);

    private readonly Dictionary<string, RamSearch> _searches = [];
    private readonly SearchOptions _options;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private long _reserved;

    /// <summary>Creates the store for them.</summary>
    public Searches(SearchOptions options, TimeProvider time)
    {
        _options = options;
        _time = time;
        var often = IdleTimeout / 4;
        _timer = time.CreateTimer(_ => Forget(), null, often, often);
    }

    /// <summary>The bytes that all keep.</summary>
    public long Memory => Interlocked.Read(ref _reserved);

    /// <summary>The bytes that they may keep.</summary>
    public long MaxMemory => _options.MaxMemory;

    /// <summary>Begins a search with a first pass.</summary>
    public async Task<SearchOutcome> StartAsync(EmulatorClient emulator, SearchPlan plan, CancellationToken cancellationToken)
    {
        IReadOnlyList<MemoryRange> ranges;
        using (var domains = await emulator.SendAsync(new ListDomains(), default, cancellationToken))
        {
            if (domains.Failure is { } failure)
            {
                return new SearchOutcome(null, failure);
            }

            ranges = plan.RangesIn(ListDomains.Parse(domains), out var wrong);
            var length = MemoryRange.TotalLength(ranges);
            wrong ??= length > MaxRead ? $"These are {length} bytes; a search covers at most {MaxRead}." : null;
            if (wrong is not null)
            {
                return new SearchOutcome(null, Wrong: wrong);
            }
        }

        var memory = RamSearch.MemoryFor(plan, ranges);
        return TryReserve(memory, out var full) ? await BeginAsync(new RamSearch(NewId(), emulator, plan, ranges), plan.Past, cancellationToken) : new SearchOutcome(null, Full: full);
    }

    /// <summary>The search of this name, or null. This renews its idle time.</summary>
    public RamSearch? Find(EmulatorClient emulator, string? id)
    {
        lock (_gate)
        {
            if (id is null || !_searches.TryGetValue(id, out var search) || search.Emulator != emulator)
            {
                return null;
            }

            search.LastAsked = _time.GetTimestamp();
            return search;
        }
    }

    /// <summary>The searches of an emulator. Listing them keeps none.</summary>
    public IReadOnlyList<RamSearch> Of(EmulatorClient emulator)
    {
        lock (_gate)
        {
            return [.. _searches.Values.Where(search => search.Emulator == emulator)];
        }
    }

    /// <summary>Forgets a search.</summary>
    public void Remove(RamSearch search)
    {
        lock (_gate)
        {
            if (_searches.Remove(search.Id))
            {
                _reserved -= search.Memory;
            }
        }
    }

    public void Dispose() => _timer.Dispose();

    private async Task<SearchOutcome> BeginAsync(RamSearch search, long? past, CancellationToken cancellationToken)
    {
        var begun = false;
        try
        {
            if (await search.PassAsync(null, 1, past, cancellationToken) is { } failure)
            {
                return new SearchOutcome(null, failure);
            }

            lock (_gate)
            {
                search.LastAsked = _time.GetTimestamp();
                _searches.Add(search.Id, search);
            }

            begun = true;
            return new SearchOutcome(search);
        }
        finally
        {
            if (!begun)
            {
                lock (_gate)
                {
                    _reserved -= search.Memory;
                }

                search.Dispose();
            }
        }
    }

    private bool TryReserve(long memory, out string full)
    {
        Forget();
        lock (_gate)
        {
            full = $"This search would keep {memory} bytes beside the {_reserved} that others keep; Bridge:Search:MaxMemory allows {_options.MaxMemory} in all. "
                + "Delete one, or search less, or keep fewer passes.";
            if (_reserved + memory > _options.MaxMemory)
            {
                return false;
            }

            _reserved += memory;
            return true;
        }
    }

    private void Forget()
    {
        lock (_gate)
        {
            foreach (var search in _searches.Values.Where(search => !search.IsBusy && _time.GetElapsedTime(search.LastAsked) > IdleTimeout).ToArray())
            {
                Remove(search);
            }
        }
    }

    private static string NewId() => RandomNumberGenerator.GetHexString(8, lowercase: true);
}
