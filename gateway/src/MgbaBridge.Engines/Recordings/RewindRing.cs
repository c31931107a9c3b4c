using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Recordings;

/// <summary>The last states of a game, at a fixed interval in frames: as many as requested and as memory allows; the oldest are removed first.</summary>
public sealed class RewindRing : IAsyncDisposable
{
    /// <summary>The most bytes that the states of an emulator have.</summary>
    public const long MaxBytes = 67_108_864;

    private static readonly TimeSpan Again = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaxWait = TimeSpan.FromHours(1);

    private readonly CancellationTokenSource _over = new();
    private readonly Queue<RewindPoint> _points = new();
    private readonly Lock _gate = new();
    private readonly Task _work;
    private StateFlags? _flags = StateFlags.All;

    /// <summary>Begins one.</summary>
    /// <param name="emulator">Whose.</param>
    /// <param name="every">The number of frames between two states.</param>
    /// <param name="most">How many states there are at most.</param>
    public RewindRing(EmulatorClient emulator, long every, int most)
    {
        (Emulator, Every, MaxPoints) = (emulator, every, most);
        _work = KeepAsync();
    }

    /// <summary>Whose states they are.</summary>
    public EmulatorClient Emulator { get; }

    /// <summary>The number of frames between two states.</summary>
    public long Every { get; }

    /// <summary>How many states there are at most.</summary>
    public int MaxPoints { get; }

    /// <summary>The states, oldest first.</summary>
    public IReadOnlyList<RewindPoint> Points
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

    public async ValueTask DisposeAsync()
    {
        await _over.CancelAsync();
        await _work;
        _over.Dispose();
    }

    private async Task KeepAsync()
    {
        try
        {
            while (true)
            {
                if (!await TakeAsync())
                {
                    await Task.Delay(Again, _over.Token);
                }

                using var passed = await Emulator.SendAsync(Wait.ForFrames(Every), new RequestOptions { Timeout = MaxWait, IsOwnWait = true }, _over.Token);
            }
        }
        catch (OperationCanceledException)
        {
            // it is over
        }
    }

    private async Task<bool> TakeAsync()
    {
        using var reply = await Emulator.SendAsync(new SaveState(_flags), default, _over.Token);
        if (reply.Failure is { } failure)
        {
            // an emulator without a picture has states nevertheless
            _flags = failure.Code == RefusalCode.Unsupported ? null : _flags;
            return false;
        }

        Add(new RewindPoint(reply.Frame, reply.Epoch, reply.Tail.ToArray()));
        return true;
    }

    private void Add(RewindPoint point)
    {
        lock (_gate)
        {
            // states of another game are of no use
            while (_points.TryPeek(out var oldest) && (_points.Count >= MaxPoints || Bytes + point.State.Length > MaxBytes || oldest.Epoch != point.Epoch))
            {
                _points.Dequeue();
                Bytes -= oldest.State.Length;
            }

            _points.Enqueue(point);
            Bytes += point.State.Length;
        }
    }
}

/// <summary>A state to go back to.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="State">The state; a PNG that shows it, where the emulator has a picture.</param>
public sealed record RewindPoint(long Frame, Epoch Epoch, ReadOnlyMemory<byte> State);
