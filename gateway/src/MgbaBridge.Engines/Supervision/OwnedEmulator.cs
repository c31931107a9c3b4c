using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Engines.Supervision;

/// <summary>An emulator that the gateway started: it is watched, its state is taken regularly, and it is restarted after a fault.</summary>
internal sealed class OwnedEmulator : IAsyncDisposable
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(100);

    private readonly SupervisionServices _services;
    private readonly SaveReservation _save;
    private readonly EmulatorRun _run;
    private readonly AutomaticStates _states;
    private readonly KeptCheats _cheats;
    private readonly RestartPolicy _policy;
    private readonly CancellationTokenSource _stopping = new();
    private readonly SemaphoreSlim _restarting = new(1, 1);
    private readonly CancellationToken _stopped;
    private CancellationTokenSource _watching = new();
    private Task _supervising = Task.CompletedTask;
    private readonly Lock _noting = new();
    private DateTimeOffset _runBegan;
    private long _savesSent;
    private volatile EmulatorFault? _lastFault;
    private string? _noLastState;
    private int _restarts;
    private bool _isOtherRom; // since RomChanged was called

    internal OwnedEmulator(EmulatorRequest request, EmulatorClient client, EmulatorAddress address, SaveReservation save, SupervisionServices services)
    {
        (Request, Client, _save, _services) = (request, client, save, services);
        _run = new EmulatorRun(request, client, address, save, services);
        _states = new AutomaticStates(client, save.Hash, services);
        _cheats = new KeptCheats(client);
        _policy = new RestartPolicy(services.Time);
        _stopped = _stopping.Token;
    }

    /// <summary>Raised when the emulator ended by itself and is not restarted: its window was closed, or it was idle for too long.</summary>
    internal event Action<OwnedEmulator>? Ended;

    /// <summary>Raised when the ROM was built again, and the emulator is to start again with it.</summary>
    internal event Action<OwnedEmulator>? Rebuilt;

    /// <summary>Called when it runs another ROM than before, before the restart is answered.</summary>
    internal Func<OwnedEmulator, CancellationToken, Task> RomChanged { get; set; } = static (_, _) => Task.CompletedTask;

    /// <summary>What the emulator runs.</summary>
    public EmulatorRequest Request { get; }

    /// <summary>Its client.</summary>
    public EmulatorClient Client { get; }

    /// <summary>The port of its script.</summary>
    public int Port => _run.Port;

    /// <summary>The current state of the emulator.</summary>
    public OwnedEmulatorStatus Status => _run.Status with { Restarts = Volatile.Read(ref _restarts), LastFault = _lastFault, StateProblem = _states.Problem, RomCrc32 = _save.Rom.Crc32, NewRomCrc32 = _save.Rom.NewCrc32 };

    /// <summary>The last lines that it printed, oldest first.</summary>
    public IReadOnlyList<string> Output => _run.Output;

    /// <summary>The automatic states of its run, newest first.</summary>
    public IReadOnlyList<StoredState> AutomaticStates => _states.Newest;

    /// <summary>Whether it has ended with a save that neither its save file nor a state has.</summary>
    public bool HasLostSave { get; private set; }

    /// <summary>What it continued from since the run before did not end in order; null when it started from its save file or a given state.</summary>
    public ContinuedState? Continued { get; private set; }

    /// <summary>Starts the emulator and waits until it answers. Returns why it did not, or null.</summary>
    internal async Task<StartProblem?> StartAsync(CancellationToken cancellationToken)
    {
        using var ended = cancellationToken.Register(_stopping.Cancel);
        if (Request.SaveOfState)
        {
            _save.Replace(Request.State is { } given && _services.States.Read(given) is { } bytes ? StateSaveData.Of(bytes, given.Game.Platform) : null);
        }

        var isInterrupted = Request is { Continues: true, State: null } && _save.Interrupted is not null;
        var interrupted = isInterrupted && _save.IsOfSameRom ? _save.Interrupted : null;
        if (interrupted is not null)
        {
            _services.States.Adopt(interrupted.States, interrupted.Runs);
        }

        var candidates = Request.State is { } state ? [state] : interrupted is null ? [] : _services.States.AutomaticOf(interrupted.Runs);
        var (restored, problem) = await _run.StartAsync(candidates, _stopped);
        if (problem is not null || (Request.State is not null && restored is null))
        {
            return problem ?? $"state {Request.State!.Name} could not be loaded: it is damaged, or of another game";
        }

        if (interrupted is not null && restored is not null)
        {
            Continued = new ContinuedState(restored.Name, restored.SavedAt, _run.HasNewerSave ? File.GetLastWriteTimeUtc(_save.File) : null);
            SupervisionLog.EmulatorContinued(_services.Logger, Client.Id, restored.Name);
        }
        else if (isInterrupted)
        {
            SupervisionLog.EmulatorNotContinued(_services.Logger, Client.Id, interrupted is null ? "the ROM has changed since"
                : interrupted.SavedAt is { } sent ? FormattableString.Invariant($"a client gave the game another save at {sent:u}, after the last state")
                : "no state of it was taken, or none can be loaded");
        }

        BeginRun(Continued is null ? [] : interrupted!.Runs, restored);
        _policy.Answered();
        Supervise(null);
        return null;
    }

    /// <summary>Why the file of its ROM would not start; null when it would.</summary>
    internal string? RomProblem => _save.Rom.Problem();

    /// <summary>Stops the emulator in order, and starts it again with its save file. Returns why it does not run, or null; it is tried again then.</summary>
    internal async Task<string?> RestartAsync()
    {
        await _restarting.WaitAsync(CancellationToken.None);
        try
        {
            _stopped.ThrowIfCancellationRequested();
            await _watching.CancelAsync();
            await _supervising;
            await _states.AbandonAsync();
            await _run.StopAsync();
            var before = _save.Rom.Crc32;
            _isOtherRom |= _save.Rom.Read();
            BeginRun([], null);
            var (_, problem) = await _run.StartAsync([], _stopped);
            if (problem is null)
            {
                _policy.Answered();
                await RestoreCheatsAsync(_stopped);
                if (_isOtherRom)
                {
                    SupervisionLog.RomReloaded(_services.Logger, Client.Id, EscapedText.Of(Request.Rom), _save.Rom.Crc32 ?? 0, before ?? 0);
                }

                await TellOfRomAsync(_stopped);
            }

            Supervise(problem is null ? null : $"it was restarted and did not start: {problem.Text}");
            return problem?.Text;
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            return "it was stopped meanwhile";
        }
        finally
        {
            _restarting.Release();
        }
    }

    /// <summary>When a client has given the game other save data, a run without the states from before begins: with them the game would overwrite that save.</summary>
    internal void NoteSaves()
    {
        lock (_noting)
        {
            var sent = Client.Health.SavesSent;
            if (sent > _savesSent)
            {
                BeginRun([], null, _services.Time.GetUtcNow());
            }

            _savesSent = sent;
        }
    }

    /// <summary>Pauses or continues it, and sets its frames a second. Returns why that is not possible, or null.</summary>
    internal Task<string?> ChangeAsync(bool? paused, double? fps) => _run.ChangeAsync(paused, fps);

    /// <summary>Runs it at least at this speed until the same owner releases it (null). Returns why that is not possible, or null.</summary>
    internal Task<string?> HoldSpeedAsync(string owner, double? fps) => _run.HoldSpeedAsync(owner, fps);

    /// <summary>Keeps the cheats that the game has now for a restart.</summary>
    internal Task KeepCheatsAsync(CancellationToken cancellationToken) => _cheats.KeepAsync(cancellationToken);

    /// <summary>Ends the supervision: from now on the end of the emulator is not a failure.</summary>
    internal async Task ReleaseAsync()
    {
        await _stopping.CancelAsync();
        await _restarting.WaitAsync(CancellationToken.None);
        _restarting.Release();
        await _supervising;
    }

    /// <summary>Ends the supervision. A save that the save file does not have, as on a full disk, is kept in a state: the next run continues from it.</summary>
    internal async Task ReleaseWithSaveAsync()
    {
        await ReleaseAsync();
        if (Client.Health.SaveProblem is not { } problem)
        {
            return;
        }

        NoteSaves(); // the state has to belong to the run that began with the save
        _noLastState = await _states.TakeLastAsync();
        if (_noLastState is null)
        {
            SupervisionLog.SaveKeptInState(_services.Logger, Client.Id, problem.TrimEnd('.'), _states.Newest[0].Name);
        }
    }

    /// <summary>Ends the supervision, and the emulator at once.</summary>
    internal async Task KillAsync()
    {
        await ReleaseAsync();
        await _run.KillAsync();
    }

    /// <summary>Stops the emulator; it saves its game.</summary>
    public async ValueTask DisposeAsync()
    {
        await ReleaseAsync();
        await _states.AbandonAsync();
        _states.Dispose();
        if (await _run.StopAsync())
        {
            _save.End();
        }
        else if (_noLastState is not null)
        {
            HasLostSave = true;
            SupervisionLog.SaveLost(_services.Logger, Client.Id, _save.File, _noLastState.TrimEnd('.'));
        }

        await _run.DisposeAsync();
        _save.Dispose();
        _cheats.Dispose();
        _watching.Dispose();
        _stopping.Dispose();
    }

    private void BeginRun(IReadOnlyList<string> continued, StoredState? restored, DateTimeOffset? savedAt = null)
    {
        lock (_noting)
        {
            _runBegan = _services.Time.GetUtcNow();
            _states.BeginRun(continued, restored, isDue: savedAt is not null);
            _save.Use(_services.States.Folder, _states.Runs, savedAt);
        }
    }

    private void Supervise(string? fault)
    {
        _watching.Dispose();
        _watching = CancellationTokenSource.CreateLinkedTokenSource(_stopped);
        var watching = _watching.Token;
        _supervising = Task.Run(() => SuperviseAsync(fault, watching), CancellationToken.None);
    }

    private async Task SuperviseAsync(string? fault, CancellationToken watching)
    {
        try
        {
            for (fault ??= await WatchAsync(watching); fault is not null; fault = await WatchAsync(watching))
            {
                await RecoverAsync(fault, watching);
            }
        }
        catch (OperationCanceledException) when (watching.IsCancellationRequested)
        {
            // it is stopped on purpose
        }
        catch (Exception exception)
        {
            SupervisionLog.SupervisionDefect(_services.Logger, Client.Id, exception);
        }
    }

    // on a slow machine, where an emulator may be silent for longer, a frame may take longer, too
    private HangDetector NewHangDetector() => new(2 * Client.SilenceTimeout, _services.Time);

    /// <summary>Watches the emulator until it fails. Returns the fault; null when the emulator ended and is not restarted.</summary>
    private async Task<string?> WatchAsync(CancellationToken watching)
    {
        var hang = NewHangDetector();
        _states.Begin();
        while (true)
        {
            await Task.WhenAny(_run.Exited, Task.Delay(LookEvery, _services.Time, watching));
            watching.ThrowIfCancellationRequested();
            if (_run.Exited.IsCompleted)
            {
                if (!Request.Options.Window || await _run.Exited != 0)
                {
                    return _run.ExitReason;
                }

                SupervisionLog.WindowClosed(_services.Logger, Client.Id);
                Ended?.Invoke(this);
                return null;
            }

            var vitals = _run.Vitals;
            if (!Request.Options.Window && hang.Check(Client.Health.Answers, vitals) is { } reason)
            {
                if (vitals.State != ProcessState.Stopped)
                {
                    return reason;
                }

                // as after the suspension of a container whose parts continue one after the other: it may still be well
                SupervisionLog.EmulatorContinuedAfterStop(_services.Logger, Client.Id);
                _run.Continue();
                hang = NewHangDetector();
            }

            NoteSaves();
            NoteRom();
            if (_states.Check() is { } idle && idle)
            {
                SupervisionLog.IdleStopped(_services.Logger, Client.Id, _services.Options.IdleStop);
                Ended?.Invoke(this);
                return null;
            }
        }
    }

    // a window has the file itself, not a copy of it
    private void NoteRom()
    {
        if (Request.Options.Window || !_save.Rom.Look(_services.Time))
        {
            return;
        }

        var save = Client.Health.SaveProblem;
        var next = !Request.Options.Watch ? "a restart loads it: the button of the page, or emulators.restart"
            : save is null ? "it starts again with it" : $"it does not start again with it, since that would lose a save: {save.TrimEnd('.')}";
        SupervisionLog.RomBuilt(_services.Logger, Client.Id, EscapedText.Of(Request.Rom), _save.Rom.NewCrc32 ?? 0, _save.Rom.Crc32 ?? 0, next);
        if (Request.Options.Watch && save is null)
        {
            Rebuilt?.Invoke(this);
        }
    }

    private async Task RecoverAsync(string reason, CancellationToken watching)
    {
        var found = _services.Time.GetUtcNow();
        _states.Count();
        await _run.KillAsync();
        _lastFault = new EmulatorFault(found, reason, null, null, null, _run.KeepLog(found, reason));
        Interlocked.Increment(ref _restarts);
        SupervisionLog.EmulatorFault(_services.Logger, Client.Id, reason, _lastFault.LogFile ?? "none");
        Client.Announce(EventNames.EmulatorLost, reason);
        await _states.AbandonAsync();
        while (true)
        {
            await Task.Delay(_policy.Failed(), _services.Time, watching);
            NoteSaves();
            if (_save.Rom.Read())
            {
                _isOtherRom = true;
                SupervisionLog.RomChanged(_services.Logger, Client.Id);
                BeginRun([], null);
            }

            var candidates = _policy.Candidates(_states.Newest).ToArray();
            var (restored, problem) = await _run.StartAsync(candidates, watching);
            watching.ThrowIfCancellationRequested();
            if (problem is null)
            {
                await RestoreCheatsAsync(watching);
                await TellOfRomAsync(watching);
                Recovered(restored, found, reason);
                return;
            }

            SupervisionLog.RestartFailed(_services.Logger, Client.Id, problem.Text);
            _lastFault = _lastFault with { Reason = $"{reason}; it could not be restarted: {problem.Text}" };
        }
    }

    private async Task TellOfRomAsync(CancellationToken cancellationToken)
    {
        if (_isOtherRom)
        {
            _isOtherRom = false;
            await RomChanged(this, cancellationToken);
        }
    }

    private async Task RestoreCheatsAsync(CancellationToken cancellationToken)
    {
        if (await _cheats.RestoreAsync(cancellationToken) is { } failure)
        {
            SupervisionLog.CheatsNotRestored(_services.Logger, Client.Id, failure.Detail);
        }
    }

    private void Recovered(StoredState? restored, DateTimeOffset found, string reason)
    {
        _policy.Answered();
        if (restored is not null)
        {
            _policy.Used(restored);
        }

        _policy.Forget(_states.Newest);
        var lost = _states.LostBy(restored, _runBegan).TotalSeconds;
        _lastFault = _lastFault! with { Reason = reason, RestartedAt = _services.Time.GetUtcNow(), RestoredFrom = restored?.Name, LostSeconds = Math.Round(lost, 1) };
        var away = (_lastFault.RestartedAt.Value - found).TotalSeconds;
        var from = restored is null ? "the save file" : _run.HasNewerSave ? $"{restored.Name} with the save file, which is newer" : restored.Name;
        SupervisionLog.EmulatorRestarted(_services.Logger, Client.Id, away, from, lost);
        Client.Announce(EventNames.EmulatorRestarted, FormattableString.Invariant($"{reason}; restarted from {from}, {lost:0.0} s of play lost"));
    }
}

/// <summary>The state that an emulator continued from after its run before did not end in order.</summary>
/// <param name="Name">Its name.</param>
/// <param name="SavedAt">When it was taken.</param>
/// <param name="SaveWrittenAt">When the save file was written, if that was after the state: the game continues with this save.</param>
public sealed record ContinuedState(string Name, DateTimeOffset SavedAt, DateTimeOffset? SaveWrittenAt);

/// <summary>What is known about an owned emulator.</summary>
/// <param name="ProcessId">The process; 0 while it does not run.</param>
/// <param name="StartedAt">When the process started.</param>
/// <param name="Memory">Its resident bytes.</param>
/// <param name="Cpu">Its processor time.</param>
/// <param name="Fps">Frames a second, measured over the last 2 s; null for a window.</param>
/// <param name="TargetFps">Frames a second that it is to run; 0 for as fast as possible, null for the console's own rate.</param>
/// <param name="HeldFps">The highest speed that somebody holds; null when nobody does.</param>
/// <param name="IsPaused">Whether it is paused.</param>
/// <param name="Saves">The folder of its save file.</param>
/// <param name="LogFile">The file with what it prints.</param>
/// <param name="NextStep">What the user has to do before it can be used; null if nothing.</param>
/// <param name="Restarts">How often it was restarted.</param>
/// <param name="LastFault">The last fault, or null.</param>
/// <param name="StateProblem">Why the last automatic state that was due could not be taken or kept; null when it was.</param>
/// <param name="RomCrc32">The CRC32 of its ROM's file, as it was when the emulator started; null when it could not be read.</param>
/// <param name="NewRomCrc32">The CRC32 of what the file has now; null when that is the same.</param>
public sealed record OwnedEmulatorStatus(
    int ProcessId, DateTimeOffset StartedAt, long Memory, TimeSpan Cpu, double? Fps, double? TargetFps, double? HeldFps, bool IsPaused, string Saves, string LogFile, string? NextStep,
    int Restarts = 0, EmulatorFault? LastFault = null, string? StateProblem = null, uint? RomCrc32 = null, uint? NewRomCrc32 = null);

/// <summary>What all owned emulators share.</summary>
internal sealed record SupervisionServices(
    OwnedEmulatorOptions Options, Programs Programs, EmulatorLauncher Launcher, StateStore States, TimeProvider Time, ILogger<Supervisor> Logger);
