using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Operations.Lease;

/// <summary>
/// A caller's control of a game: the lockstep lease, kept while the caller says nothing. The game runs only the frames that it asks for. It ends when it
/// is given back, or when no step came for its limit.
/// </summary>
internal sealed class GameLease : IAsyncDisposable
{
    // the script ends the lease if the gateway is gone for this long
    private const long LimitMilliseconds = 5_000;

    private const int MaxReleases = 20;

    private static readonly TimeSpan Renewal = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan ReleaseInterval = TimeSpan.FromMilliseconds(50);

    private readonly EmulatorClient _emulator;
    private readonly RequestOptions _options;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _over = new();
    private readonly SemaphoreSlim _steps = new(1, 1);
    private readonly TimeSpan _timeLimit;
    private readonly string _caller;
    private readonly Func<string> _text;
    private long _lastUsed;
    private Task _work = Task.CompletedTask;
    private string? _ended;

    private GameLease(EmulatorClient emulator, string caller, RequestOptions options, TimeSpan timeLimit, TimeProvider time)
    {
        (_emulator, _caller, _options, _timeLimit, _time, _text) = (emulator, caller, options, timeLimit, time, Describe);
        _lastUsed = time.GetTimestamp();
    }

    /// <summary>Why it has ended; null while it holds.</summary>
    public string? Ended => Volatile.Read(ref _ended);

    /// <summary>The frame in which the game stood when it was taken.</summary>
    public long Frame { get; private init; }

    /// <summary>Takes it.</summary>
    /// <param name="emulator">The emulator.</param>
    /// <param name="caller">The caller's name, for others whose requests are refused.</param>
    /// <param name="options">The caller's holder and owner.</param>
    /// <param name="timeLimit">After how long without a step it ends.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="RequestFailedException">It cannot be had, for instance because someone else has it.</exception>
    public static async Task<GameLease> TakeAsync(EmulatorClient emulator, string caller, RequestOptions options, TimeSpan timeLimit, TimeProvider time)
    {
        // a caller that leaves now may have the lease: wait for the reply, which comes at once, then release it
        using var reply = (await emulator.SendAsync(new TakeLease(LimitMilliseconds, null), options, CancellationToken.None)).EnsureSuccess();
        var control = new GameLease(emulator, caller, options, timeLimit, time) { Frame = reply.Frame };
        emulator.BeginControl(control._text);
        control._work = control.KeepAsync();
        return control;
    }

    /// <summary>Runs frames.</summary>
    /// <exception cref="RequestFailedException">It failed.</exception>
    public async Task<long> StepAsync(long frames, KeySet? keys, CancellationToken cancelled)
    {
        await _steps.WaitAsync(cancelled);
        try
        {
            using var reply = await _emulator.SendAsync(new StepLease(frames, keys, null), _options with { Timeout = StepRequest.MaxWait(frames) }, cancelled);
            if (reply.Failure is { } failure)
            {
                NoteEnd(failure);
                throw new RequestFailedException(failure);
            }

            return reply.Frame;
        }
        finally
        {
            Volatile.Write(ref _lastUsed, _time.GetTimestamp());
            _steps.Release();
        }
    }

    /// <summary>Releases the keys of the last step, also after a step that failed or was cancelled. If that fails, the lease has ended, and the keys with it, or will end soon.</summary>
    public async Task ReleaseKeysAsync()
    {
        for (var attempt = 0; attempt < MaxReleases; attempt++)
        {
            using var reply = await _emulator.SendAsync(new StepLease(0, default(KeySet), null), _options, CancellationToken.None);
            NoteEnd(reply.Failure);
            if (reply.Failure is not { Code: ErrorCode.Busy })
            {
                return;
            }

            await Task.Delay(ReleaseInterval, _time); // the cancellation of the step has not reached the script yet
        }
    }

    /// <summary>Ends it, and the game continues.</summary>
    public async ValueTask DisposeAsync()
    {
        var held = TryEnd("given back");
        await _over.CancelAsync();
        await _work;
        if (held)
        {
            await ReleaseAsync();
        }
    }

    private async Task KeepAsync()
    {
        try
        {
            while (Ended is null)
            {
                await Task.Delay(Renewal, _time, _over.Token);
                if (_steps.CurrentCount == 0)
                {
                    continue; // a step is under way, which renews the lease
                }

                if (_time.GetElapsedTime(Volatile.Read(ref _lastUsed)) > _timeLimit)
                {
                    if (TryEnd($"it was not used for {_timeLimit.TotalSeconds:0} s"))
                    {
                        await ReleaseAsync();
                    }

                    return;
                }

                using var reply = await _emulator.SendAsync(new StepLease(0, null, null), _options, _over.Token);
                NoteEnd(reply.Failure);
            }
        }
        catch (OperationCanceledException)
        {
            // it was given back
        }
    }

    private void NoteEnd(CommandFailure? failure)
    {
        if (failure is { Kind: CommandFailureKind.Leased } or { Code: ErrorCode.NoLease or ErrorCode.NoGame })
        {
            TryEnd(failure.Detail);
        }
    }

    private bool TryEnd(string reason)
    {
        _emulator.EndControl(_text);
        return Interlocked.CompareExchange(ref _ended, reason, null) is null;
    }

    // for others, whose requests are refused meanwhile
    private string Describe()
    {
        var left = _steps.CurrentCount == 0 ? _timeLimit : _timeLimit - _time.GetElapsedTime(Volatile.Read(ref _lastUsed));
        return FormattableString.Invariant(
            $"{_caller} ({_options.Holder!.Name}) has control of this game; it ends when it is given back, or in {Math.Max(0, left.TotalSeconds):0} s if no step comes before. Only reads are answered.");
    }

    // if the emulator does not answer, the lease ends by itself after its limit
    private async Task ReleaseAsync()
    {
        using var reply = await _emulator.SendAsync(new ReleaseLease(Owned: true), _options);
    }
}
