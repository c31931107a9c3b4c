using System.Collections.Concurrent;
using System.Security.Cryptography;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Supervision;

/// <summary>Takes the state of a running owned emulator regularly, and notices when nobody uses it.</summary>
/// <param name="emulator">The emulator.</param>
/// <param name="hashOfSave">The hash of its save file; null when it is not known.</param>
/// <param name="services">The store, the settings and the clock.</param>
internal sealed class AutomaticStates(EmulatorClient emulator, Func<string?> hashOfSave, SupervisionServices services) : IDisposable
{
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);

    // on a busy machine each frame may be longer than the silence that other requests wait for; an emulator that hangs is restarted
    private static readonly RequestOptions Patient = new() { OutlastsSilence = true, Timeout = TimeSpan.FromMinutes(1) };

    private readonly ConcurrentDictionary<string, TimeSpan> _takenAfter = []; // states of this process, by the play before them
    private long _lastTaken;
    private long _lastTried;
    private volatile string? _problem;
    private long _checkedAt;
    private TimeSpan _played;
    private StoredState? _restored;
    private (long Frame, Epoch Epoch, string? Name) _last;
    private volatile bool _isDue;
    private long _requestsSeen;
    private long _usedAt;
    private Task _taking = Task.CompletedTask;
    private CancellationTokenSource _abandoned = new();

    /// <summary>The current run, and before it those that it continued, newest first.</summary>
    public IReadOnlyList<string> Runs { get; private set; } = [];

    /// <summary>The states of these runs, newest first.</summary>
    public IReadOnlyList<StoredState> Newest => services.States.AutomaticOf(Runs);

    /// <summary>Why the last state that was due could not be taken or kept; null when it was.</summary>
    public string? Problem => _problem;

    /// <summary>A new run begins.</summary>
    /// <param name="continued">The runs that it continues.</param>
    /// <param name="restored">The state that it begins with; null for the save file.</param>
    /// <param name="isDue">Whether a state is taken at once.</param>
    public void BeginRun(IReadOnlyList<string> continued, StoredState? restored, bool isDue = false)
    {
        var before = Runs;
        Runs = [RandomNumberGenerator.GetHexString(16, lowercase: true), .. continued.Where(run => services.States.AutomaticOf(run).Count > 0)];
        services.States.BeginRuns(Runs);
        services.States.EndRuns(before);
        (_restored, _played) = (restored, TimeSpan.Zero);
        _takenAfter.Clear();
        _isDue = isDue;
    }

    /// <summary>The emulator answers from now on.</summary>
    public void Begin()
    {
        _lastTaken = _lastTried = _usedAt = _checkedAt = services.Time.GetTimestamp();
        _played = TimeSpan.Zero;
        _takenAfter.Clear();
        _requestsSeen = emulator.Requests;
    }

    /// <summary>
    /// How much play is lost when the emulator continues from a state: time in which it answered and was not paused, so that each of several faults counts
    /// its own. The next <see cref="Begin"/> counts from this state.
    /// </summary>
    /// <param name="restored">The state; null for the save file.</param>
    /// <param name="runBegan">When the run began with its save file.</param>
    public TimeSpan LostBy(StoredState? restored, DateTimeOffset runBegan)
    {
        var before = _restored?.SavedAt ?? runBegan;
        _restored = restored;
        if (restored is not null && _takenAfter.TryGetValue(restored.Name, out var played))
        {
            return _played - played;
        }

        var older = before - (restored?.SavedAt ?? runBegan); // than that with which this process began
        return older > TimeSpan.Zero ? _played + older : _played;
    }

    /// <summary>Counts the play until now.</summary>
    public void Count()
    {
        var now = services.Time.GetTimestamp();
        if (emulator.Health.Advances)
        {
            _played += services.Time.GetElapsedTime(_checkedAt, now);
        }

        _checkedAt = now;
    }

    /// <summary>Takes a state when one is due. True when nobody used the emulator for longer than the settings allow.</summary>
    public bool? Check()
    {
        Count();
        var options = services.Options;
        if (options.KeptStates > 0 && _taking.IsCompleted && emulator.Health.Advances
            && (_isDue || services.Time.GetElapsedTime(_lastTaken) >= options.StateEvery) && services.Time.GetElapsedTime(_lastTried) >= RetryAfter)
        {
            var tried = _lastTried = services.Time.GetTimestamp();
            var played = _played;
            _taking = Task.Run(() => TakeAsync(tried, played, _abandoned.Token));
        }

        var requests = emulator.Requests;
        if (requests != _requestsSeen && _taking.IsCompleted)
        {
            (_requestsSeen, _usedAt) = (requests, services.Time.GetTimestamp());
        }

        return options.IdleStop > TimeSpan.Zero && services.Time.GetElapsedTime(_usedAt) >= options.IdleStop;
    }

    /// <summary>Gives up a state that is being taken, since the emulator has ended: a restart must not wait for its reply. A state that has arrived is kept.</summary>
    public async Task AbandonAsync()
    {
        await _abandoned.CancelAsync();
        await _taking;
        _abandoned.Dispose();
        _abandoned = new CancellationTokenSource();
    }

    /// <summary>Takes a state at once, since the emulator is about to end and its save file does not have what it holds. Returns why that was not possible, or null.</summary>
    public async Task<string?> TakeLastAsync()
    {
        await AbandonAsync();
        if (services.Options.KeptStates == 0)
        {
            return "Bridge:Owned:KeptStates is 0, so that none is kept";
        }

        _last = default; // the save may be another one although no frame has run since
        using var timeLimit = new CancellationTokenSource(Supervisor.StopTimeout, services.Time);
        try
        {
            return await TakeAsync(_played, timeLimit.Token);
        }
        catch (OperationCanceledException)
        {
            return "the emulator does not answer";
        }
    }

    public void Dispose()
    {
        services.States.EndRuns(Runs);
        _abandoned.Dispose();
    }

    private async Task TakeAsync(long now, TimeSpan played, CancellationToken abandoned)
    {
        try
        {
            var problem = await TakeAsync(played, abandoned);
            if (problem is null)
            {
                _lastTaken = now;
            }
            else if (_problem is null)
            {
                SupervisionLog.StateNotTaken(services.Logger, emulator.Id, problem); // once: it is tried again soon
            }

            _problem = problem;
        }
        catch (OperationCanceledException)
        {
            // the emulator failed, which is logged
        }
        finally
        {
            _requestsSeen = emulator.Requests;
        }
    }

    /// <summary>Takes a state. Returns why that was not possible, or null.</summary>
    private async Task<string?> TakeAsync(TimeSpan played, CancellationToken abandoned)
    {
        try
        {
            // before the state: a save in between counts as newer, and the state does not belong to a run that begins in between
            var (run, saved) = (Runs is [var newest, ..] ? newest : "", hashOfSave());
            var (state, failure) = await TakenState.TakeAsync(emulator, Patient, abandoned);
            if (failure is not null)
            {
                return failure.Detail;
            }

            if (state!.Frame == _last.Frame && state.Epoch == _last.Epoch && services.States.Find(_last.Name) is { } same && same.Run == run)
            {
                _takenAfter[same.Name] = played; // no frame has run since
                return null;
            }

            if (services.States.SaveAutomatic(emulator.Id, run, state, saved, emulator.Health.SaveProblem is not null) is not { } stored)
            {
                return "There is no room beside the newest states of the other emulators; raise Bridge:Owned:MaxStates or MaxStateBytes.";
            }

            _takenAfter[stored.Name] = played;
            _last = (state.Frame, state.Epoch, stored.Name);
            _isDue = _isDue && run != Runs[0];
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or UnexpectedReplyException)
        {
            return exception.Message;
        }
    }
}
