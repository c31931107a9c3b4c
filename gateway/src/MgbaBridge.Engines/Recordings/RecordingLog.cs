using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Engines.Recordings;

/// <summary>The contents of a recording while it is made: the keys and sensors, a camera's pictures among them, of each frame in which they changed, and hashes of memory. Safe for concurrent use.</summary>
internal sealed class RecordingLog
{
    /// <summary>The most changes of keys and sensors, and hashes of a recording.</summary>
    public const int MaxLines = 50_000;

    // of memory and pictures, and of a camera's pictures alone: as base64 they pass through a request of the default size
    private const int MaxKept = 2_097_152;

    private readonly Lock _gate = new();
    private readonly List<RecordingLine> _inputs = []; // keys and sensors
    private readonly List<RecordingLine> _hashes = [];
    private ReadOnlyMemory<byte> _state;
    private MemoryChanges? _changes;
    private int _kept;
    private int _camera; // bytes of the camera's pictures, without which it cannot be replayed

    /// <summary>The cheats that it begins with.</summary>
    public IReadOnlyList<RecordedCheat> Cheats { get; private set; } = [];

    /// <summary>The frame of the initial state.</summary>
    public long Start { get; private set; }

    /// <summary>The epoch of the initial state.</summary>
    public Epoch Epoch { get; private set; }

    /// <summary>The frame of the last hash.</summary>
    public long Last { get; private set; }

    /// <summary>Why the recording ended, or null while it is running.</summary>
    public string? Ended { get; private set; }

    /// <summary>The numbers of changes of keys and sensors, and of hashes.</summary>
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

    /// <summary>Sets the initial state and the cheats that are applied.</summary>
    public void Begin(ReadOnlyMemory<byte> state, long frame, Epoch epoch, IReadOnlyList<RecordedCheat> cheats) =>
        (_state, Start, Last, Epoch, Cheats) = (state, frame, frame, epoch, cheats);

    /// <summary>Adds a change of the keys.</summary>
    public void Add((long From, KeySet Keys) input) => Add(new RecordingLine { Frame = input.From, Keys = input.Keys.ToString() });

    /// <summary>Adds a change of the sensors.</summary>
    public void Add((long From, SensorValues Values) input) => Add(new RecordingLine { Frame = input.From, Sensors = input.Values });

    /// <summary>Adds a change of the picture that the camera sees.</summary>
    public void Add((long From, ReadOnlyMemory<byte> Picture) input)
    {
        var png = input.Picture.IsEmpty ? [] : CameraPicture.ToPng(input.Picture.Span);
        lock (_gate)
        {
            _camera += png.Length;
            _inputs.Add(new RecordingLine { Frame = input.From, Camera = png });
        }
    }

    /// <summary>Adds a hash of memory; the memory and the picture of the frame, too, as long as there is space. False when the recording is full.</summary>
    public bool TryAdd(long frame, ReadOnlySpan<byte> memory, ReadOnlyMemory<byte>? picture)
    {
        lock (_gate)
        {
            if (Ended is null && frame > Last)
            {
                _hashes.Add(WithContent(new RecordingLine { Frame = frame, Hash = HashedRanges.Hash(memory) }, memory, picture));
                Last = frame;
            }

            return _inputs.Count + _hashes.Count < MaxLines && _camera <= MaxKept;
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
                Keys = AtStart(static input => input.Keys) ?? "",
                Sensors = AtStart(static input => input.Sensors) is { } sensors && sensors != SensorValues.Neutral ? sensors : null,
                Camera = AtStart(static input => input.Camera) is { Length: > 0 } camera ? camera : default(ReadOnlyMemory<byte>?),
                Cheats = Cheats.Count > 0 ? Cheats : null,
                State = _state,
            };
            var lines = _inputs.Where(IsInside)
                .Concat(_hashes)
                .OrderBy(line => line.Frame);
            return (header, Ended is null ? [.. lines] : [.. lines, new RecordingLine { Frame = Last, End = Ended }]);
        }
    }

    // once there was no space for one, the changes of those behind it lead nowhere
    private RecordingLine WithContent(RecordingLine line, ReadOnlySpan<byte> memory, ReadOnlyMemory<byte>? picture)
    {
        if (_kept + _camera > MaxKept)
        {
            return line;
        }

        _changes ??= new MemoryChanges(memory.Length);
        var packed = _changes.Pack(memory);
        _kept += packed.Length + (picture?.Length ?? 0);
        return _kept + _camera > MaxKept ? line : line with { Memory = packed, Picture = picture };
    }

    private void Add(RecordingLine input)
    {
        lock (_gate)
        {
            _inputs.Add(input);
        }
    }

    private T? AtStart<T>(Func<RecordingLine, T?> value) => _inputs.Where(input => input.Frame <= Start).Select(value).LastOrDefault(static one => one is not null);

    // the header has the keys and sensors of the first frame, and nothing is replayed after the last hash
    private bool IsInside(RecordingLine input) => input.Frame > Start && (Ended is null || input.Frame < Last);
}
