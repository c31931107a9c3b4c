using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Recordings;

/// <summary>
/// The last states of a game, at a fixed interval in frames: as many as requested and as memory allows; the oldest are removed first. With them are the
/// keys of every frame since the oldest, so that these frames can be played again.
/// </summary>
public sealed class RewindRing : IAsyncDisposable
{
    /// <summary>The most bytes that the states of an emulator have.</summary>
    public const long MaxBytes = 67_108_864;

    private const long Repeated = 60; // frames: a second

    private static readonly TimeSpan Again = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaxWait = TimeSpan.FromHours(1);

    private readonly CancellationTokenSource _over = new();
    private readonly SemaphoreSlim _turn = new(1); // a state is taken before or after the game goes back, not meanwhile
    private readonly List<RewindPoint> _points = [];
    private readonly RewindKeys _keys;
    private readonly Lock _gate = new();
    private readonly Task _work;
    private CancellationTokenSource? _pause; // until the next state
    private StateFlags? _flags = StateFlags.All;
    private long _notPlayed; // frames of the script's count that are not on the way to the present: the game went back behind them
    private long? _wentBackAt;

    /// <summary>Begins one.</summary>
    /// <param name="emulator">Whose.</param>
    /// <param name="every">The number of frames between two states.</param>
    /// <param name="most">How many states there are at most.</param>
    public RewindRing(EmulatorClient emulator, long every, int most)
    {
        (Emulator, Every, MaxPoints) = (emulator, every, most);
        _keys = new RewindKeys(emulator, Moved);
        _work = KeepAsync();
    }

    /// <summary>Whose states they are.</summary>
    public EmulatorClient Emulator { get; }

    /// <summary>The number of frames between two states.</summary>
    public long Every { get; }

    /// <summary>How many states there are at most.</summary>
    public int MaxPoints { get; }

    /// <summary>The states to go back to, oldest first.</summary>
    public IReadOnlyList<RewindPoint> Points => [.. All.Where(point => !point.IsReturn)];

    private IReadOnlyList<RewindPoint> All
    {
        get
        {
            lock (_gate)
            {
                return [.. _points];
            }
        }
    }

    /// <summary>The bytes that they have.</summary>
    public long Bytes { get; private set; }

    /// <summary>
    /// The last frames, to be played again: one behind the other, each part from a state to the next moment at which a state was loaded or the game was reset.
    /// The few frames from there until the ring had a state are left out. The pictures of the states on the way are those that must be seen then.
    /// </summary>
    /// <param name="frames">How many, if there are as many; up to the interval of the states more.</param>
    /// <param name="cancelled">The caller left.</param>
    /// <returns>None when no frames are kept yet.</returns>
    public async Task<(IReadOnlyList<RecordedGame> Parts, CommandFailure? Failure)> LastAsync(long frames, CancellationToken cancelled)
    {
        using var game = await Emulator.SendAsync(new ReadGame(), default, cancelled);
        var (cheats, unknown) = await RecordedCheats.ReadAsync(Emulator, default, cancelled);
        using var state = await Emulator.SendAsync(new SaveState(StateFlags.All), default, cancelled);
        if ((game.Failure ?? unknown ?? state.Failure) is { } failure)
        {
            return ([], failure);
        }

        var isSure = await _keys.WaitForAsync(state.Frame, cancelled);
        var kept = All.Where(point => point.Epoch == state.Epoch && point.Frame < state.Frame && point.Frame >= _keys.From).ToList();
        var points = kept.Skip(Math.Max(0, kept.FindLastIndex(point => point.Frame <= state.Frame - frames))).Append(new RewindPoint(state.Frame, state.Epoch, state.Tail.ToArray(), 0, IsReturn: false));
        return (_keys.Between([.. points], isSure, ReadGame.Parse(game), cheats), null);
    }

    /// <summary>
    /// Goes back to a state. Those that are later are dropped: the game has another future from there. What it continues from is that state, so no other is
    /// kept at once.
    /// </summary>
    /// <param name="choose">Chooses the state; null when there is none to go back to.</param>
    /// <param name="load">Loads it; with the script's frame then, or null when that failed.</param>
    /// <param name="cancelled">The caller left.</param>
    public async Task<T> GoBackAsync<T>(Func<Task<(RewindPoint? Point, T Result)>> choose, Func<RewindPoint, Task<(long? At, T Result)>> load, CancellationToken cancelled)
    {
        await _turn.WaitAsync(cancelled);
        try
        {
            var (point, none) = await choose();
            if (point is null)
            {
                return none;
            }

            var (at, result) = await load(point);
            if (at is { } frame)
            {
                WentBack(point, frame);
            }

            return result;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>
    /// The newest state of at least this many frames of play before a frame, or the oldest there is; null when there is none of this epoch. Within a second after
    /// the game went back, the frames since then do not count: each of several calls leads further back.
    /// </summary>
    public RewindPoint? Before(long frame, Epoch epoch, long frames)
    {
        lock (_gate)
        {
            var points = _points.Where(point => !point.IsReturn && point.Epoch == epoch).ToList();
            var from = _wentBackAt is { } at && frame - at < Repeated ? at : frame;
            return points.LastOrDefault(point => point.Played <= from - _notPlayed - frames) ?? points.FirstOrDefault();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _over.CancelAsync();
        await _work;
        await _keys.DisposeAsync();
        _over.Dispose();
    }

    private async Task KeepAsync()
    {
        try
        {
            while (true)
            {
                using var pause = CancellationTokenSource.CreateLinkedTokenSource(_over.Token);
                lock (_gate)
                {
                    _pause = pause;
                }

                try
                {
                    await TakeAndWaitAsync(pause.Token);
                }
                catch (OperationCanceledException) when (!_over.IsCancellationRequested)
                {
                    // the game continues from another state
                }
                finally
                {
                    lock (_gate)
                    {
                        _pause = null;
                    }
                }
            }
        }
        catch (OperationCanceledException)
        {
            // it is over
        }
    }

    private async Task TakeAndWaitAsync(CancellationToken over)
    {
        if (!await TakeAsync())
        {
            await Task.Delay(Again, over);
        }

        using var passed = await Emulator.SendAsync(Wait.ForFrames(Every), new RequestOptions { Timeout = MaxWait, IsOwnWait = true }, over);
    }

    // a state of now is what the next frames come from
    private void Moved()
    {
        lock (_gate)
        {
            _ = _pause?.CancelAsync(); // not under the lock
        }
    }

    private async Task<bool> TakeAsync()
    {
        await _turn.WaitAsync(_over.Token);
        try
        {
            return await TakeInTurnAsync();
        }
        finally
        {
            _turn.Release();
        }
    }

    private async Task<bool> TakeInTurnAsync()
    {
        using var reply = await Emulator.SendAsync(new SaveState(_flags), default, _over.Token);
        if (reply.Failure is { } failure)
        {
            // an emulator without a picture has states nevertheless
            _flags = failure.Code == ErrorCode.Unsupported ? null : _flags;
            return false;
        }

        Add(reply.Frame, reply.Epoch, reply.Tail.ToArray());
        return true;
    }

    private void Add(long frame, Epoch epoch, byte[] state)
    {
        lock (_gate)
        {
            // states of another game are of no use
            while (_points.Count > 0 && (_points.Count(static point => !point.IsReturn) >= MaxPoints || Bytes + state.Length > MaxBytes || _points[0].Epoch != epoch))
            {
                RemoveFrom(0, 1);
            }

            if (_points.Count == 0)
            {
                (_notPlayed, _wentBackAt) = (0, null);
            }

            _points.Add(new RewindPoint(frame, epoch, state, frame - _notPlayed, IsReturn: frame - _wentBackAt < Every));
            Bytes += state.Length;
            _keys.ForgetBefore(_points[0].Frame);
        }
    }

    private void WentBack(RewindPoint point, long at)
    {
        lock (_gate)
        {
            var index = _points.IndexOf(point);
            if (index >= 0)
            {
                RemoveFrom(index + 1, _points.Count - index - 1);
            }

            (_notPlayed, _wentBackAt) = (at - point.Played, at);
        }
    }

    private void RemoveFrom(int index, int count)
    {
        Bytes -= _points.GetRange(index, count).Sum(static point => (long)point.State.Length);
        _points.RemoveRange(index, count);
    }
}

/// <summary>A state to go back to.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="State">The state; a PNG that shows it, where the emulator has a picture.</param>
/// <param name="Played">How many frames of play lead to it: <paramref name="Frame"/> without those behind which the game went back.</param>
/// <param name="IsReturn">Whether it is of just after the game went back: the keys of the next frames are played again from it, but nobody goes back to it.</param>
public sealed record RewindPoint(long Frame, Epoch Epoch, ReadOnlyMemory<byte> State, long Played, bool IsReturn);
