using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Batch;

namespace MgbaBridge.Gateway.Operations.Lease;

/// <summary>
/// A caller's control of a game: the lockstep lease, kept while the caller says nothing. The game runs only the frames that it asks for. It ends when it
/// is given back, or when no step came for its limit.
/// </summary>
internal sealed class GameLease : IOperationSession, IAsyncDisposable
{
    // the script ends the lease if the gateway is gone for this long
    private const long LimitMilliseconds = 5_000;

    private const int MaxReleases = 20;

    private static readonly TimeSpan Renewal = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan ReleaseInterval = TimeSpan.FromMilliseconds(50);

    private readonly Invocation _invocation;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _over = new();
    private readonly TimeSpan _timeLimit;
    private readonly string _caller;
    private readonly Func<string> _text;
    private long _lastUsed;
    private Task _work = Task.CompletedTask;
    private string? _ended;

    private GameLease(Invocation invocation, string caller, TimeSpan timeLimit)
    {
        _invocation = invocation with { Session = this, Cancelled = CancellationToken.None };
        (_caller, _timeLimit, _time, _text) = (caller, timeLimit, invocation.Get<TimeProvider>(), Describe);
        _lastUsed = _time.GetTimestamp();
    }

    /// <summary>Why it has ended; null while it holds.</summary>
    public string? Ended => Volatile.Read(ref _ended);

    /// <summary>The frame in which the game stood when it was taken.</summary>
    public long Frame { get; private set; }

    /// <summary>Free while no step runs.</summary>
    public SemaphoreSlim StepTurn { get; } = new(1, 1);

    /// <summary>Takes it.</summary>
    /// <param name="invocation">For whom.</param>
    /// <param name="caller">The caller's name, for others whose requests are refused.</param>
    /// <param name="timeLimit">After how long without a step it ends.</param>
    public static async Task<Result<GameLease>> TakeAsync(Invocation invocation, string caller, TimeSpan timeLimit)
    {
        var control = new GameLease(invocation, caller, timeLimit);
        var taken = await LeaseOperations.Take.InvokeAsync(control._invocation, (LimitMilliseconds, null));
        if (taken.Failure is { } failure)
        {
            return failure;
        }

        control.Frame = taken.Value.Frame;
        invocation.Emulator.BeginControl(control._text);
        control._work = control.KeepAsync();
        return Result.At(control, taken.Value.Frame, taken.Value.Epoch);
    }

    /// <summary>Runs frames. The value is the frame that was reached.</summary>
    public async Task<Result<long>> StepAsync(long frames, KeySet? keys, CancellationToken cancelled)
    {
        try
        {
            using var result = await RunAsync(frames, keys, cancelled);
            return new Result<long>(result.Value.Frame, result.Failure, result.Frame, result.Epoch);
        }
        finally
        {
            Volatile.Write(ref _lastUsed, _time.GetTimestamp());
        }
    }

    /// <summary>Releases the keys of the last step, also after a step that failed or was cancelled. If that fails, the lease has ended, and the keys with it, or will end soon.</summary>
    public async Task ReleaseKeysAsync()
    {
        for (var attempt = 0; attempt < MaxReleases; attempt++)
        {
            using var released = await RunAsync(0, default(KeySet), CancellationToken.None);
            if (released.Failure is not { OfCommand.Code: ErrorCode.Busy })
            {
                return;
            }

            await Task.Delay(ReleaseInterval, _time); // the cancellation of the step has not reached the script yet
        }
    }

    /// <summary>What it holds ends with it.</summary>
    public void Record(Held held)
    {
    }

    /// <summary>Ends it, and the game continues.</summary>
    public async ValueTask DisposeAsync()
    {
        var held = TryEnd("given back");
        await _over.CancelAsync();
        await _work;
        if (held)
        {
            await _invocation.Emulator.Releases.ReleaseLeaseAsync(_invocation.Options);
        }
    }

    private async Task<Result<BatchAnswer>> RunAsync(long frames, KeySet? keys, CancellationToken cancelled)
    {
        var result = await LeaseOperations.StepAlone.InvokeAsync(_invocation with { Cancelled = cancelled }, new StepRequest(frames, keys, null, null));
        if (result.Failure is { OfCommand: { Kind: CommandFailureKind.Leased } or { Code: ErrorCode.NoLease or ErrorCode.NoGame } } failure)
        {
            TryEnd(failure.Detail);
        }

        return result;
    }

    private async Task KeepAsync()
    {
        try
        {
            while (Ended is null)
            {
                await Task.Delay(Renewal, _time, _over.Token);
                if (StepTurn.CurrentCount == 0)
                {
                    continue; // a step is under way, which renews the lease
                }

                if (_time.GetElapsedTime(Volatile.Read(ref _lastUsed)) > _timeLimit)
                {
                    if (TryEnd($"it was not used for {_timeLimit.TotalSeconds:0} s"))
                    {
                        await _invocation.Emulator.Releases.ReleaseLeaseAsync(_invocation.Options);
                    }

                    return;
                }

                using var renewed = await RunAsync(0, null, _over.Token);
            }
        }
        catch (OperationCanceledException)
        {
            // it was given back
        }
    }

    private bool TryEnd(string reason)
    {
        _invocation.Emulator.EndControl(_text);
        return Interlocked.CompareExchange(ref _ended, reason, null) is null;
    }

    // for others, whose requests are refused meanwhile
    private string Describe()
    {
        var left = StepTurn.CurrentCount == 0 ? _timeLimit : _timeLimit - _time.GetElapsedTime(Volatile.Read(ref _lastUsed));
        return FormattableString.Invariant(
            $"{_caller} ({_invocation.Options.Holder!.Name}) has control of this game; it ends when it is given back, or in {Math.Max(0, left.TotalSeconds):0} s if no step comes before. Only reads are answered.");
    }
}
