using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Engines.Recordings;

/// <summary>The keys and sensors of the frames since the oldest state of a ring, and the frames at which the game continued from another state. Safe for concurrent use.</summary>
internal sealed class RewindKeys : IAsyncDisposable
{
    private const int MaxChanges = 50_000;
    private const int MaxPictures = 1_000; // that a camera sees: some ten megabytes

    private static readonly EventTopic[] Topics = [new("keys"), new("state"), new("script")];
    private static readonly EventTopic[] SensorTopics = [new(EventNames.Sensors), new(EventNames.Camera)];
    private static readonly EventTopic EachFrame = new("frame");
    private static readonly TimeSpan LastEvents = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(5);

    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _waiting = new(1); // the end of one wait would end the frames of another
    private readonly EmulatorClient _emulator;
    private readonly EventSubscription _subscription;
    private readonly CancellationTokenSource _over = new();
    private readonly Action _moved;
    private readonly Task _work;
    private readonly List<(long From, KeySet Keys)> _changes = [];
    private readonly List<(long From, SensorValues Values)> _sensors = [];
    private readonly List<(long From, ReadOnlyMemory<byte> Picture)> _pictures = []; // as PNG; none is darkness
    private readonly List<long> _moves = [];
    private long _reached;

    /// <summary>Begins to keep them.</summary>
    /// <param name="emulator">Whose.</param>
    /// <param name="moved">Called when the game continues from another state.</param>
    public RewindKeys(EmulatorClient emulator, Action moved)
    {
        (_emulator, _moved, _subscription) = (emulator, moved, emulator.Events.Join());
        _work = KeepAsync();
    }

    /// <summary>The first frame whose keys are known; none when there is none.</summary>
    public long From
    {
        get
        {
            lock (_gate)
            {
                return _changes.Count > 0 ? _changes[0].From : long.MaxValue;
            }
        }
    }

    /// <summary>
    /// Returns when the keys of all frames before this one have come, true also with whether the game continued from another state in it. A paused game
    /// had sent its keys before.
    /// </summary>
    public async Task<bool> WaitForAsync(long frame, CancellationToken cancelled)
    {
        await _waiting.WaitAsync(cancelled);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
        limit.CancelAfter(LastEvents);
        try
        {
            // events come in order: behind the next frame's, none of this one is outstanding
            await _emulator.Events.AddAsync(_subscription, [EachFrame], null, limit.Token);
            while (Interlocked.Read(ref _reached) <= frame)
            {
                await Task.Delay(LookEvery, limit.Token);
            }

            return true;
        }
        catch (OperationCanceledException) when (!cancelled.IsCancellationRequested)
        {
            return false; // it is paused
        }
        finally
        {
            _emulator.Events.Remove(_subscription, [EachFrame.Name]);
            _waiting.Release();
        }
    }

    /// <summary>What no state needs any more.</summary>
    public void ForgetBefore(long frame)
    {
        lock (_gate)
        {
            Forget(_changes, frame, MaxChanges);
            Forget(_sensors, frame, MaxChanges);
            Forget(_pictures, frame, MaxPictures);
            _moves.RemoveAll(move => move < frame);
        }
    }

    /// <summary>The frames from the first state to the last one, to be played again.</summary>
    /// <param name="points">The states.</param>
    /// <param name="isLastSure">Whether it is known that the game did not continue from another state in the frame of the last one.</param>
    /// <param name="game">The game.</param>
    /// <param name="cheats">Its cheats.</param>
    public IReadOnlyList<RecordedGame> Between(IReadOnlyList<RewindPoint> points, bool isLastSure, GameInfo game, IReadOnlyList<RecordedCheat> cheats)
    {
        lock (_gate)
        {
            // a state of a frame in which the game continued from another one is of before that or of after it
            var last = points[^1].Frame;
            var sure = points.Where(point => point.Frame == last || !_moves.Contains(point.Frame)).ToList();
            var parts = new List<RecordedGame>();
            var (start, pictures) = (sure[0], new List<RecordingLine>());
            foreach (var (point, next) in sure.Zip(sure.Skip(1)))
            {
                var move = _moves.Where(move => move >= point.Frame && move < next.Frame).DefaultIfEmpty(-1).Min();
                if (move >= 0)
                {
                    AddPart(parts, start, move, pictures, game, cheats);
                    (start, pictures) = (next, []);
                }
                else if (next.Frame < last || (isLastSure && !_moves.Contains(last)))
                {
                    pictures.Add(new RecordingLine { Frame = next.Frame, Picture = next.State });
                }
            }

            AddPart(parts, start, last, pictures, game, cheats);
            return parts;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _over.CancelAsync();
        _subscription.Dispose();
        await _work;
        _over.Dispose();
    }

    private void AddPart(List<RecordedGame> parts, RewindPoint start, long end, List<RecordingLine> pictures, GameInfo game, IReadOnlyList<RecordedCheat> cheats)
    {
        if (end == start.Frame)
        {
            return;
        }

        var header = new RecordingHeader
        {
            Recording = RecordingHeader.Version,
            Title = game.Title,
            Crc32 = game.Crc32,
            Frame = start.Frame,
            Ranges = [],
            Keys = _changes.LastOrDefault(change => change.From <= start.Frame).Keys.ToString(),
            Sensors = _sensors.Where(change => change.From <= start.Frame).Select(static change => (SensorValues?)change.Values).LastOrDefault(),
            Camera = _pictures.LastOrDefault(change => change.From <= start.Frame).Picture is { Length: > 0 } picture ? picture : default(ReadOnlyMemory<byte>?),
            Cheats = cheats.Count > 0 ? cheats : null,
            State = start.State,
        };
        var inputs = _changes.Select(static change => new RecordingLine { Frame = change.From, Keys = change.Keys.ToString() })
            .Concat(_sensors.Select(static change => new RecordingLine { Frame = change.From, Sensors = change.Values }))
            .Concat(_pictures.Select(static change => new RecordingLine { Frame = change.From, Camera = change.Picture }))
            .Where(line => line.Frame > start.Frame && line.Frame < end);
        parts.Add(new RecordedGame(header, new HashedRanges([]), [.. inputs.Concat(pictures).OrderBy(line => line.Frame), new RecordingLine { Frame = end, End = "end" }]));
    }

    // what is before a frame, but for the last, which is in force there
    private static void Forget<T>(List<(long From, T Value)> changes, long frame, int max)
    {
        changes.RemoveRange(0, Math.Max(0, changes.FindLastIndex(change => change.From <= frame)));
        changes.RemoveRange(0, Math.Max(0, changes.Count - max));
    }

    private async Task KeepAsync()
    {
        try
        {
            // of an emulator that cannot tell them nothing is kept, and its states lead back nevertheless
            var backlog = await _emulator.Events.AddAsync(_subscription, Topics, null, _over.Token);
            foreach (var level in backlog.Missed)
            {
                Receive(level);
            }

            var sensors = await _emulator.Events.AddAsync(_subscription, SensorTopics, null, _over.Token); // windows have none
            foreach (var level in sensors.Missed)
            {
                Receive(level);
            }

            await foreach (var received in _subscription.Waiting.ReadAllAsync(_over.Token))
            {
                if (_subscription.TakeLost() > 0)
                {
                    Forget();
                }

                Receive(received);
            }
        }
        catch (OperationCanceledException)
        {
            // it is over
        }
    }

    private void Receive(EmulatorEvent received)
    {
        switch (received.Kind)
        {
            case EventNames.Keys:
                lock (_gate)
                {
                    _changes.Add(received.ReadKeys());
                }

                break;
            case EventNames.Sensors:
                lock (_gate)
                {
                    _sensors.Add(received.ReadSensors());
                }

                break;
            case EventNames.Camera:
                var (from, picture) = received.ReadCamera();
                var png = picture.IsEmpty ? [] : CameraPicture.ToPng(picture.Span);
                lock (_gate)
                {
                    _pictures.Add((from, png));
                }

                break;
            case EventNames.State:
                lock (_gate)
                {
                    _moves.Add(received.ReadInteger("from"u8) ?? received.Frame);
                }

                _moved();
                break;
            case EventNames.ScriptLost or EventNames.ScriptConnected or StreamEvents.Ended:
                Forget();
                break;
            case EventNames.Frame:
                Interlocked.Exchange(ref _reached, received.Frame);
                break;
            default:
                break;
        }
    }

    // events are missing: the keys are known again when they change
    private void Forget()
    {
        lock (_gate)
        {
            _changes.Clear();
            _sensors.Clear();
            _pictures.Clear();
            _moves.Clear();
        }
    }
}
