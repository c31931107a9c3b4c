using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Search;

/// <summary>One search: what memory was in some frames, and which places may still be what is looked for. One pass runs at a time.</summary>
public sealed class RamSearch : IDisposable
{
    private static readonly TimeSpan WaitTimeout = TimeSpan.FromSeconds(10);

    private readonly SearchPlan _plan;
    private readonly IReadOnlyList<MemoryRange> _ranges;
    private Candidates[] _candidates;
    private readonly List<SearchPass> _passes = [];
    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _turn = new(1, 1);
    private SearchPass? _first;
    private SearchUndo? _undo;
    private long _looks;

    internal RamSearch(string id, EmulatorClient emulator, SearchPlan plan, IReadOnlyList<MemoryRange> ranges)
    {
        Id = id;
        Emulator = emulator;
        _plan = plan;
        _ranges = ranges;
        _candidates = [.. ranges.Select(range => new Candidates(plan.ValueType, (int)range.Length))];
        Memory = MemoryFor(plan, ranges);
    }

    /// <summary>Its name.</summary>
    public string Id { get; }

    /// <summary>The layout of the number in memory.</summary>
    public SearchValueType ValueType => _plan.ValueType;

    /// <summary>The ranges of memory that it covers.</summary>
    public IReadOnlyList<MemoryRange> Ranges => _ranges;

    /// <summary>The bytes that it keeps.</summary>
    public long Memory { get; }

    /// <summary>The epoch in which it began; it cannot continue in another.</summary>
    public Epoch Epoch { get; private set; }

    /// <summary>How often memory was looked at, and how that ended.</summary>
    public SearchState State
    {
        get
        {
            lock (_gate)
            {
                return new SearchState(_looks, _passes.Count == 0 ? 0 : _passes[^1].Frame, _candidates.Sum(range => range.Count), _undo is not null);
            }
        }
    }

    internal EmulatorClient Emulator { get; }

    internal bool IsBusy => _turn.CurrentCount == 0;

    internal long LastAsked { get; set; }

    /// <summary>The bytes that a search keeps: passes, the first one, and a bit for each place; for undoing a test the pass before it, and its places.</summary>
    internal static long MemoryFor(SearchPlan plan, IReadOnlyList<MemoryRange> ranges) =>
        (ranges.Sum(range => range.Length) * (plan.Keep + 2L)) + (ranges.Sum(range => Candidates.MemoryFor(plan.ValueType, range.Length)) * 2);

    /// <summary>Reads memory once a frame for this many frames and removes the candidates that do not pass in each. Null on success.</summary>
    /// <param name="test">What must hold, or null for nothing: only to remember.</param>
    /// <param name="frames">In how many frames, each later than the one before.</param>
    /// <param name="past">The first of these, out of the history of the game; null for the present.</param>
    /// <param name="cancellationToken">The caller left. What was done before stays done.</param>
    public async Task<CommandFailure?> PassAsync(SearchTest? test, int frames, long? past, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken);
        try
        {
            for (var pass = 0; pass < frames; pass++)
            {
                if (await LookAsync(test, isNext: pass > 0, past + pass, cancellationToken) is { } failure)
                {
                    return failure;
                }
            }

            return null;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Goes back to before the last test: to its places, and its last pass. Whether there was one that is not undone yet.</summary>
    public async Task<bool> UndoAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken);
        try
        {
            lock (_gate)
            {
                if (_undo is not { } before)
                {
                    return false;
                }

                var later = (int)Math.Min(_looks - before.Looks, _passes.Count);
                _passes.RemoveRange(_passes.Count - later, later);
                if (_passes.Count == 0)
                {
                    _passes.Add(before.Last);
                }

                (_candidates, _looks, _undo) = (before.Candidates, before.Looks, null);
                return true;
            }
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Some of the places that are left, in order.</summary>
    public (SearchState State, IReadOnlyList<SearchMatch> Matches) Matches(int skip, int most)
    {
        var matches = new List<SearchMatch>();
        lock (_gate)
        {
            var start = 0;
            for (var range = 0; range < _ranges.Count && matches.Count < most; range++)
            {
                var found = _candidates[range].Offsets(skip).Take(most - matches.Count);
                matches.AddRange(found.Select(offset => MatchAt(range, start, offset)));
                skip = Math.Max(0, skip - _candidates[range].Count);
                start += (int)_ranges[range].Length;
            }

            return (State, matches);
        }
    }

    public void Dispose() => _turn.Dispose();

    private async Task<CommandFailure?> LookAsync(SearchTest? test, bool isNext, long? past, CancellationToken cancellationToken)
    {
        var options = new RequestOptions { Epoch = _first is null ? null : Epoch };
        if (isNext && past is null)
        {
            using var waited = await Emulator.SendAsync(Wait.ForFrames(1), options with { Timeout = WaitTimeout, IsOwnWait = true }, cancellationToken);
            if (waited.Failure is { } failure)
            {
                return failure;
            }
        }

        using var reply = await Emulator.SendAsync(new GatherMemory(_ranges, past), options, cancellationToken);
        if (reply.Failure is null)
        {
            Take(test, isNext, past ?? reply.Frame, reply);
        }

        return reply.Failure;
    }

    private void Take(SearchTest? test, bool isNext, long frame, Reply reply)
    {
        lock (_gate)
        {
            if (_first is null)
            {
                Epoch = reply.Epoch;
                _first = new SearchPass(frame, reply.Tail.ToArray());
            }

            if (test is { } given)
            {
                if (!isNext)
                {
                    _undo = new SearchUndo([.. _candidates.Select(static range => range.Copy())], _passes[^1] with { Bytes = [.. _passes[^1].Bytes] }, _looks);
                }

                Strike(VectorTest.Of(given, ValueType), reply.Tail.Span);
            }

            Remember(frame, reply);
        }
    }

    private void Strike(in VectorTest test, ReadOnlySpan<byte> now)
    {
        var earlier = test.Against switch
        {
            SearchAgainst.Last when _passes.Count > 0 => _passes[^1].Bytes,
            SearchAgainst.Value => now,
            _ => _first!.Bytes,
        };
        var start = 0;
        for (var range = 0; range < _candidates.Length; range++)
        {
            var length = (int)_ranges[range].Length;
            _candidates[range].Keep(test, now.Slice(start, length), earlier.Slice(start, length));
            start += length;
        }
    }

    // the oldest one's bytes are used again: these are large
    private void Remember(long frame, Reply reply)
    {
        _looks++;
        var bytes = _passes.Count == _plan.Keep ? _passes[0].Bytes : new byte[reply.Tail.Length];
        if (_passes.Count == _plan.Keep)
        {
            _passes.RemoveAt(0);
        }

        reply.Tail.CopyTo(bytes);
        _passes.Add(new SearchPass(frame, bytes));
    }

    private SearchMatch MatchAt(int range, int start, int offset)
    {
        var location = _ranges[range].Location;
        var at = start + offset;
        return new SearchMatch(
            location with { Offset = location.Offset + offset },
            ValueType.Type.Read(_first!.Bytes.AsSpan(at), ValueType.Endian),
            [.. _passes.Select(pass => new SearchObservation(pass.Frame, ValueType.Type.Read(pass.Bytes.AsSpan(at), ValueType.Endian)))]);
    }
}
