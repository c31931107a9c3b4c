using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Engines.Supervision;

/// <summary>Why an emulator did not start.</summary>
/// <param name="Text">The reason.</param>
/// <param name="Failure">What kind of failure it is.</param>
internal sealed record StartProblem(string Text, SupervisionFailure Failure = SupervisionFailure.StartFailed)
{
    public static implicit operator StartProblem(string text) => new(text);
}

/// <summary>The process of an owned emulator: the one that runs now, and what the next one has to be started with.</summary>
internal sealed class EmulatorRun : IAsyncDisposable
{
    private const int PortAttempts = 3;
    private const string StoppedMeanwhile = "it was stopped while it started";
    private const int Terminated = Programs.Signal + 15; // SIGTERM: how the shell of a window ends it
    private const int ScriptFailed = 22; // mgba-headless: the script failed while loading, perhaps because its port is in use

    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(10);

    private readonly EmulatorRequest _request;
    private readonly EmulatorClient _client;
    private readonly EmulatorAddress _address;
    private readonly SaveReservation _save;
    private readonly SupervisionServices _services;
    private readonly string _folder;
    private readonly OutputLog _log;
    private readonly SemaphoreSlim _changing = new(1, 1);
    private EmulatorProcess? _process;
    private DateTimeOffset _startedAt;
    private EmulatorSpeed _speed;
    private bool _paused;

    public EmulatorRun(EmulatorRequest request, EmulatorClient client, EmulatorAddress address, SaveReservation save, SupervisionServices services)
    {
        (_request, _client, _address, _save, _services) = (request, client, address, save, services);
        _folder = services.Launcher.FolderOf(client.Id);
        _log = new OutputLog(_folder);
        (_speed, _paused) = (new EmulatorSpeed(request.Options.Fps), request.Options.Paused);
    }

    /// <summary>The port of its script.</summary>
    public int Port => _address.Port!.Value;

    /// <summary>Ends with the process.</summary>
    public Task<int> Exited => _process?.Exited ?? Task.FromResult(0);

    /// <summary>The last lines that it printed, oldest first.</summary>
    public IReadOnlyList<string> Output => _log.Lines;

    /// <summary>What the system knows about the process.</summary>
    public ProcessVitals Vitals => _process?.Vitals ?? default;

    /// <summary>Whether the game continued with the save of the save file, because it is newer than the state.</summary>
    public bool HasNewerSave { get; private set; }

    /// <summary>Why the process ended.</summary>
    public string ExitReason => _process is { Exited: { IsCompleted: true } exited } process ? Reason(exited.Result, process) : "it ended";

    /// <summary>What is known now.</summary>
    public OwnedEmulatorStatus Status
    {
        get
        {
            var running = _process is { Exited.IsCompleted: false } process ? process : null;
            var vitals = running?.Vitals ?? default;
            return new OwnedEmulatorStatus(
                running?.Id ?? 0, _startedAt, vitals.Memory, vitals.Cpu, _paused ? 0 : running?.Fps, _speed.Base, _speed.Held, _paused, _save.Folder,
                Path.Combine(_folder, "emulator.log"), NextStep);
        }
    }

    private StartProblem DidNotAnswer => new($"it did not answer within {_services.Options.StartTimeout.TotalSeconds} s (Bridge:Owned:StartTimeout)", SupervisionFailure.StartTimedOut);

    // mgba-qt 0.10 cannot load a script by itself
    private string? NextStep => _request.Options.Window && !_client.Health.Answers
        ? $"If the script does not load by itself (mGBA 0.10): in the window pause the game (Ctrl+P), choose Tools > Scripting..., then File > Load script..., open {_services.Programs.Script}, and continue the game."
        : null;

    /// <summary>Starts a process that continues from the first of these states that can be loaded. Returns that state, or why nothing runs.</summary>
    public async Task<(StoredState? Restored, StartProblem? Problem)> StartAsync(IReadOnlyList<StoredState> candidates, CancellationToken cancellationToken)
    {
        await _changing.WaitAsync(cancellationToken);
        try
        {
            for (var attempt = 1; ; attempt++)
            {
                var (restored, problem, code) = await StartOnceAsync(candidates, cancellationToken);
                if (problem is null || code != ScriptFailed || attempt == PortAttempts || _request.Port is not null)
                {
                    return (restored, problem);
                }

                EmulatorLauncher.BeginAnywhere();
                _address.Port = EmulatorLauncher.FreePort();
            }
        }
        finally
        {
            _changing.Release();
        }
    }

    /// <summary>Pauses or continues it, and sets its frames a second. Returns why that is not possible, or null.</summary>
    public async Task<string?> ChangeAsync(bool? paused, double? fps)
    {
        await _changing.WaitAsync();
        try
        {
            if (_process is not { } process)
            {
                return "the emulator does not run";
            }

            var speed = fps is null ? _speed : _speed with { Base = fps };
            var problem = fps is null ? null : await ChangeAsync(process, "fps", FormattableString.Invariant($"{speed.Now}"));
            problem ??= paused is { } pause ? await ChangeAsync(process, pause ? "pause" : "resume", "") : null;
            (_speed, _paused) = problem is null ? (speed, paused ?? _paused) : (_speed, _paused);
            return problem;
        }
        finally
        {
            _changing.Release();
        }
    }

    /// <summary>Runs it at least at this speed until the same owner releases it (null). Returns why that is not possible, or null.</summary>
    public async Task<string?> HoldSpeedAsync(string owner, double? fps)
    {
        await _changing.WaitAsync();
        try
        {
            if (_speed.With(owner, fps) is not { } speed)
            {
                return $"{EmulatorSpeed.MaxHolders} callers hold a speed, the most that may";
            }

            var isChanged = speed.Now != _speed.Now && _process is not null;
            var problem = isChanged ? await ChangeAsync(_process!, "fps", FormattableString.Invariant($"{speed.Now}")) : null;
            _speed = problem is null || fps is null ? speed : _speed; // what was released is released, also for the next start
            return problem;
        }
        finally
        {
            _changing.Release();
        }
    }

    /// <summary>Continues the process after a signal stopped it.</summary>
    public void Continue() => _process?.Continue();

    /// <summary>Ends the process at once.</summary>
    public Task KillAsync() => _process?.KillAsync() ?? Task.CompletedTask;

    /// <summary>Lets the process save and end. Returns whether it did; it had failed before otherwise, or had to be killed.</summary>
    public async Task<bool> StopAsync()
    {
        _paused = false;
        if (_process is not { } process)
        {
            return false;
        }

        var code = await process.StopAsync(Supervisor.StopTimeout);
        SupervisionLog.EmulatorStopped(_services.Logger, _client.Id, code);
        return code == 0 || (_request.Options.Window && code == Terminated);
    }

    /// <summary>Keeps the last lines that it printed.</summary>
    public string? KeepLog(DateTimeOffset at, string reason) => _log.KeepCrash(at, reason);

    public async ValueTask DisposeAsync()
    {
        if (_process is { } process)
        {
            await process.DisposeAsync();
        }

        _log.Dispose();
        _changing.Dispose();
    }

    /// <summary>Between the steps of a lease the emulator reads no commands: this one runs before its next frame.</summary>
    private async Task<string?> ChangeAsync(EmulatorProcess process, string name, string argument)
    {
        bool IsHeld() => _client.Health.State == EmulatorState.Leased;
        var answer = await process.CommandAsync(name, argument, IsHeld() ? TimeSpan.Zero : _services.Options.CommandTimeout, CancellationToken.None);
        return answer.Outcome == CommandOutcome.NoAnswer && IsHeld() ? null : answer.Problem;
    }

    private async Task<(StoredState? Restored, StartProblem? Problem, int? Code)> StartOnceAsync(IReadOnlyList<StoredState> candidates, CancellationToken cancellationToken)
    {
        if (_process is { } before)
        {
            await before.DisposeAsync();
            _process = null;
        }

        HasNewerSave = false;

        if (_request.Port is null && !EmulatorLauncher.IsFree(_address.Port!.Value))
        {
            _address.Port = EmulatorLauncher.FreePort();
        }

        var hello = _client.Health.Hello;
        EmulatorProcess process;
        StoredState? windowState = null;
        try
        {
            string? stateFile = null;
            (windowState, stateFile) = _request.Options.Window ? candidates.Select(state => (state, _services.States.CheckedFileOf(state))).FirstOrDefault(found => found.Item2 is not null) : default;

            // without a window it is paused, and continues from a state, by control commands
            var options = _request.Options with { State = stateFile, Fps = _speed.AtStart, Paused = false };
            if (await _services.Launcher.CommandAsync(_request.Rom, options, _client.Id, _save.Folder, _address, cancellationToken) is not { } launch)
            {
                return (null, _services.Programs.Missing(_request.Options.Window), null);
            }

            process = EmulatorProcess.Start(launch, _log.Add);
            (_process, _startedAt) = (process, _services.Time.GetUtcNow());
            SupervisionLog.EmulatorStarted(_services.Logger, _client.Id, launch.Program, process.Id, _address.Port!.Value, EscapedText.Of(_request.Rom));
        }
        catch (Exception exception) when (exception is System.ComponentModel.Win32Exception or IOException or UnauthorizedAccessException)
        {
            return (null, exception.Message, null); // also during a recovery: it is tried again, as when the disk was full
        }

        var (restored, silence) = _request.Options.Window ? (windowState, null) : await RestoreAsync(process, candidates, cancellationToken);
        if (silence is not null)
        {
            return await FailedAsync(process, silence);
        }

        if (!_request.Options.Window)
        {
            // commands are read when the script has been loaded, and listens
            if (await process.CommandAsync(_paused ? "pause" : "resume", "", _services.Options.StartTimeout, cancellationToken) is { Outcome: CommandOutcome.NoAnswer })
            {
                return await FailedAsync(process, cancellationToken.IsCancellationRequested ? StoppedMeanwhile : DidNotAnswer);
            }

            _client.ConnectNow();
        }

        return await AnswersAsync(process, hello, cancellationToken) is { } problem ? await FailedAsync(process, problem) : (restored, null, null);
    }

    /// <summary>
    /// Loads the first of these states that can be loaded. The commands are read before the first frame runs, so their time limit is that of the start: on a
    /// busy machine the process may need seconds to get to them, which says nothing about the state.
    /// </summary>
    /// <returns>The loaded state, or null; and why the start failed, or null.</returns>
    private async Task<(StoredState? Restored, StartProblem? Problem)> RestoreAsync(EmulatorProcess process, IReadOnlyList<StoredState> candidates, CancellationToken cancellationToken)
    {
        foreach (var state in candidates)
        {
            if (_services.States.CheckedFileOf(state) is not { } file)
            {
                continue;
            }

            var answer = await process.CommandAsync("load-state", file, _services.Options.StartTimeout, cancellationToken);
            switch (answer.Outcome)
            {
                case CommandOutcome.Done:
                    return await ChooseSaveAsync(process, state, cancellationToken) ? (state, null) : (null, DidNotAnswer);
                case CommandOutcome.NoAnswer:
                    return (null, cancellationToken.IsCancellationRequested ? StoppedMeanwhile : DidNotAnswer);
                case CommandOutcome.Ended:
                    return (null, null); // the wait for its first answer says why
                case CommandOutcome.Refused when _request.State is not null:
                    return (null, $"state {state.Name} could not be loaded: {answer.Problem!.TrimEnd('.')}");
                default:
                    SupervisionLog.StateNotRestored(_services.Logger, _client.Id, state.Name, answer.Problem!);
                    break;
            }
        }

        return (null, null);
    }

    /// <summary>
    /// A save file that was written after the state was taken is newer: the game continues with it. One that could not be written gets what the state has.
    /// </summary>
    /// <returns>False when the process did not answer.</returns>
    private async Task<bool> ChooseSaveAsync(EmulatorProcess process, StoredState state, CancellationToken cancellationToken)
    {
        if (_request.State is not null || state.Save is not { } before || _save.Hash() is not { } now)
        {
            return true;
        }

        HasNewerSave = now != before;
        return !(HasNewerSave || state.SaveIsPending)
            || await process.CommandAsync(HasNewerSave ? "keep-save" : "write-save", "", _services.Options.StartTimeout, cancellationToken) is not { Outcome: CommandOutcome.NoAnswer };
    }

    private async Task<StartProblem?> AnswersAsync(EmulatorProcess process, HelloReply? before, CancellationToken cancellationToken)
    {
        var began = _services.Time.GetTimestamp();
        while (true)
        {
            var health = _client.Health;
            if (health.Answers && !ReferenceEquals(health.Hello, before))
            {
                return null;
            }

            if (process.Exited.IsCompleted)
            {
                var code = await process.Exited;
                return new StartProblem(Reason(code, process), !_request.Options.Window && Programs.RefusesMachine(code) ? SupervisionFailure.OptionsRefused : SupervisionFailure.StartFailed);
            }

            if (cancellationToken.IsCancellationRequested)
            {
                return StoppedMeanwhile;
            }

            if (_services.Time.GetElapsedTime(began) >= _services.Options.StartTimeout)
            {
                return _request.Options.Window ? null : DidNotAnswer;
            }

            await Task.WhenAny(process.Exited, Task.Delay(LookEvery, _services.Time, CancellationToken.None));
        }
    }

    private static async Task<(StoredState? Restored, StartProblem? Problem, int? Code)> FailedAsync(EmulatorProcess process, StartProblem problem)
    {
        var code = await process.KillAsync();
        return (null, problem, code);
    }

    private string Reason(int code, EmulatorProcess process) =>
        process.LastError ?? Programs.ReasonOf(code, _request.Options.Window, Output is [.., var line] ? line : null);
}
