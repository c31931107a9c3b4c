using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Recordings;

/// <summary>The contents of a recording while it is made: the keys of each frame in which they changed, and hashes of memory. Safe for concurrent use.</summary>
internal sealed class RecordingLog
{
    private const int MaxLines = 50_000;

    private readonly Lock _gate = new();
    private readonly List<(long Frame, KeySet Keys)> _inputs = [];
    private readonly List<(long Frame, string Hash)> _hashes = [];
    private ReadOnlyMemory<byte> _state;

    /// <summary>The frame of the initial state.</summary>
    public long Start { get; private set; }

    /// <summary>The epoch of the initial state.</summary>
    public Epoch Epoch { get; private set; }

    /// <summary>The frame of the last hash.</summary>
    public long Last { get; private set; }

    /// <summary>Why the recording ended, or null while it is running.</summary>
    public string? Ended { get; private set; }

    /// <summary>The numbers of key changes and of hashes.</summary>
    public (int Inputs, int Hashes) Count
    {
        get
        {
            lock (_gate)
            {
                return (_inputs.Count(IsInside), _hashes.Count);
            }
        }
    }

    /// <summary>Sets the initial state.</summary>
    public void Begin(ReadOnlyMemory<byte> state, long frame, Epoch epoch) => (_state, Start, Last, Epoch) = (state, frame, frame, epoch);

    /// <summary>Adds a change of the keys.</summary>
    public void Add((long From, KeySet Keys) input)
    {
        lock (_gate)
        {
            _inputs.Add(input);
        }
    }

    /// <summary>Adds a hash. False when the recording is full.</summary>
    public bool TryAdd(long frame, string hash)
    {
        lock (_gate)
        {
            if (Ended is null && frame > Last)
            {
                _hashes.Add((frame, hash));
                Last = frame;
            }

            return _inputs.Count + _hashes.Count < MaxLines;
        }
    }

    /// <summary>Ends the recording. False if it has ended before.</summary>
    public bool TryEnd(string why)
    {
        lock (_gate)
        {
            if (Ended is not null)
            {
                return false;
            }

            Ended = why;
            return true;
        }
    }

    /// <summary>The lines of the recording's file.</summary>
    public (RecordingHeader Header, IReadOnlyList<RecordingLine> Lines) Lines(GameInfo game, HashedRanges ranges)
    {
        lock (_gate)
        {
            var header = new RecordingHeader
            {
                Recording = RecordingHeader.Version,
                Title = game.Title,
                Crc32 = game.Crc32,
                Frame = Start,
                Ranges = ranges.Texts(),
                Keys = _inputs.LastOrDefault(input => input.Frame <= Start).Keys.ToString(),
                State = _state,
            };
            var lines = _inputs.Where(IsInside)
                .Select(input => new RecordingLine { Frame = input.Frame, Keys = input.Keys.ToString() })
                .Concat(_hashes.Select(hash => new RecordingLine { Frame = hash.Frame, Hash = hash.Hash }))
                .OrderBy(line => line.Frame);
            return (header, Ended is null ? [.. lines] : [.. lines, new RecordingLine { Frame = Last, End = Ended }]);
        }
    }

    // the header has the keys of the first frame, and nothing is replayed after the last hash
    private bool IsInside((long Frame, KeySet Keys) input) => input.Frame > Start && (Ended is null || input.Frame < Last);
}
