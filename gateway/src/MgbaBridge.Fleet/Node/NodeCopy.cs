using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Fleet.Links;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Node;

/// <summary>What all copies on a host share.</summary>
internal sealed record NodeServices(StateRegistry States, Supervisor Supervisor, StateStore Store, Programs Programs, HostLease Lease, LinkServer? Links, Action Started, TimeProvider Time, Action<long> Renewed, ILogger Logger);

/// <summary>One copy of a session on this host: its emulator, and what was reported of it.</summary>
internal sealed class NodeCopy : IDisposable
{
    /// <summary>How many frames of taps are waited for when it is given back; a sequence may have minutes.</summary>
    private const int MaxTapFrames = 300;

    // the longest limit of a lockstep lease; it is renewed until the emulator ends
    private static readonly TimeSpan MaxHold = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan MaxSilence = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan RetryAfter = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan SaveAgainAfter = TimeSpan.FromSeconds(1);
    private static readonly RequestOptions HoldOptions = new() { Holder = Holder.Drain, Timeout = MaxHold };

    private readonly Assignment _assignment;
    private readonly NodeServices _services;
    private readonly CancellationTokenSource _ending = new();
    private readonly Task _starting;
    private string? _stored;
    private string _saveProblem = "";
    private bool _isSaidToFail;
    private bool _isChanged;
    private Task _saving = Task.CompletedTask;
    private OwnedEmulator? _emulator;
    private TakenState? _last;
    private Task _holding = Task.CompletedTask;

    /// <summary>Begins to start it, when <paramref name="before"/> has ended: a former copy of the same session on this host.</summary>
    public NodeCopy(Assignment assignment, NodeServices services, SemaphoreSlim room, Task before)
    {
        (_assignment, _services) = (assignment, services);
        _starting = Task.Run(() => StartAsync(room, before));
        _ = _starting.ContinueWith(_ => services.Started(), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
    }

    /// <summary>Which copy.</summary>
    public SessionCopy Copy => _assignment.Copy;

    /// <summary>Why it could not be started, or null.</summary>
    public string? Problem { get; private set; }

    /// <summary>The port that was reported to the registry; 0 for none.</summary>
    public int ReportedPort { get; set; }

    /// <summary>Whether it has ended here and its session was given back.</summary>
    public bool IsGivenBack { get; set; }

    /// <summary>Whether it has ended.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>What has to be reported; null when nothing changed, or it does not run yet.</summary>
    public RunningCopy? Unreported
    {
        get
        {
            if (!_starting.IsCompletedSuccessfully || Volatile.Read(ref _emulator) is not { } emulator || emulator.Port == ReportedPort)
            {
                return null;
            }

            var address = emulator.Client.Address;
            return new RunningCopy(Copy, emulator.Port, address.Nonce ?? "", address.Secret ?? "");
        }
    }

    /// <summary>
    /// Begins to store the newest automatic state, if it is not stored yet. A store that is slow does not keep the host from renewing its lease. False when
    /// the registry has this copy otherwise than this host.
    /// </summary>
    public bool Upload(Guid host)
    {
        if (_saving.IsCompleted && Volatile.Read(ref _emulator)?.AutomaticStates is [var newest, ..] && newest.Name != _stored)
        {
            _saving = Task.Run(() => SaveAsync(host, newest));
        }

        return !Interlocked.Exchange(ref _isChanged, false);
    }

    /// <summary>
    /// Stores the state of this moment in the registry, from which on nothing changes the game any more. Returns why that was not possible, or null.
    /// When the registry does not answer, it may be called again.
    /// </summary>
    public async Task<string?> UploadLastAsync(Guid host, CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _emulator) is not { } emulator)
        {
            return null; // it never ran here: the state that it was to continue from is still the newest
        }

        await _saving.WaitAsync(cancellationToken); // of two states the one that is stored later is the newer one
        if (_last is null)
        {
            (_last, var failure) = await TakeLastAsync(emulator.Client, cancellationToken);
            if (failure is not null)
            {
                return failure.Detail;
            }
        }

        return await SaveAsync(host, _last!.Bytes, _last.Game, _last.Frame, cancellationToken) is not null ? null : "another host has the session";
    }

    /// <summary>Ends it, also while it starts.</summary>
    public async Task EndAsync()
    {
        await _ending.CancelAsync();
        await _starting;
        await _holding;
        await _saving;
        if (Interlocked.Exchange(ref _emulator, null) is not null)
        {
            // after its last state it is held, so it cannot end in order, and nothing of it counts any more
            await (_last is null ? _services.Supervisor.StopAsync(Copy.Session) : _services.Supervisor.KillAsync(Copy.Session));
        }

        HasEnded = true;
    }

    public void Dispose() => _ending.Dispose();

    /// <summary>
    /// Stops the game by the lockstep lease, when the taps that were accepted are over: no effect is accepted any more. While a client has the lease,
    /// only its own steps between the state and the end are lost. Returns the token of the lease, or null.
    /// </summary>
    private static async Task<string?> HoldAsync(EmulatorClient client, CancellationToken cancellationToken)
    {
        using var taken = await client.SendAsync(new TakeLease((long)MaxHold.TotalMilliseconds, null), HoldOptions, cancellationToken);
        if (taken.Failure is not null)
        {
            return null;
        }

        var lease = TakeLease.Parse(taken);
        if (lease.Taps > 0)
        {
            using var stepped = await client.SendAsync(new StepLease(Math.Min(lease.Taps, MaxTapFrames), null, null), HoldOptions, cancellationToken);
        }

        return lease.Token;
    }

    /// <summary>Holds the game and takes its state, also of a game that a busy machine does not run for a while.</summary>
    private async Task<(TakenState? State, CommandFailure? Failure)> TakeLastAsync(EmulatorClient client, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(MaxSilence);
        while (true)
        {
            if (_holding.IsCompleted && await HoldAsync(client, cancellationToken) is { } token)
            {
                _holding = RenewHoldAsync(client, token, _ending.Token);
            }

            var taken = await TakenState.TakeAsync(client, default, cancellationToken);
            if (taken.Failure?.Kind != CommandFailureKind.Silent || limit.IsCancellationRequested)
            {
                return taken;
            }

            await Task.Delay(RetryAfter, cancellationToken);
        }
    }

    /// <summary>Renews the lockstep lease until the emulator is to end: a busy machine may take longer to store the state than a lease lasts.</summary>
    private static async Task RenewHoldAsync(EmulatorClient client, string token, CancellationToken cancellationToken)
    {
        try
        {
            while (true)
            {
                await Task.Delay(MaxHold / 4, cancellationToken);
                using var renewed = await client.SendAsync(new TakeLease((long)MaxHold.TotalMilliseconds, token), HoldOptions, cancellationToken);
            }
        }
        catch (OperationCanceledException)
        {
            // the emulator ends
        }
    }

    private async Task SaveAsync(Guid host, StoredState newest)
    {
        try
        {
            if (_services.Store.Read(newest) is { } bytes)
            {
                var isAsItWas = await SaveAsync(host, bytes, newest.Game, newest.Frame, _ending.Token);
                if (isAsItWas is null)
                {
                    FleetLogMessages.FleetCopyFenced(_services.Logger, Copy.Session, Copy.Generation);
                }

                (_stored, _isChanged) = (isAsItWas is null ? _stored : newest.Name, isAsItWas is not true);
                await SayAsync(host, "");
            }

            _saveProblem = "";
        }
        catch (OperationCanceledException)
        {
            // it ends
        }
        catch (FleetException exception)
        {
            if (_saveProblem != exception.Message)
            {
                _saveProblem = exception.Message;
                FleetLogMessages.FleetStatesNotStored(_services.Logger, Copy.Session, exception.Message);
            }

            await SayAsync(host, $"Its states are not stored, which is tried again. {exception.Message}");
            await Task.Delay(SaveAgainAfter, _ending.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        catch (Exception exception)
        {
            FleetLogMessages.FleetCopyDefect(_services.Logger, Copy.Session, exception);
        }
    }

    /// <summary>Says once that states are not stored, and why, and once that they are again. While the database cannot be used only the log has it.</summary>
    private async Task SayAsync(Guid host, string problem)
    {
        if (_isSaidToFail == problem.Length > 0)
        {
            return;
        }

        try
        {
            await _services.States.ReportAsync(host, Copy, problem);
            _isSaidToFail = problem.Length > 0;
        }
        catch (FleetException)
        {
            // it is tried with the next state
        }
    }

    private async Task<bool?> SaveAsync(Guid host, byte[] bytes, StoredGame game, long frame, CancellationToken cancellationToken)
    {
        var before = _services.Time.GetTimestamp();
        var isAsItWas = await _services.States.SaveAsync(host, Copy, new SessionState(bytes, JsonSerializer.Serialize(game, NodeJson.Default.StoredGame), frame), cancellationToken);
        if (isAsItWas is not null)
        {
            _services.Renewed(before);
        }

        return isAsItWas;
    }

    private async Task StartAsync(SemaphoreSlim room, Task before)
    {
        try
        {
            await before;
            await room.WaitAsync(_ending.Token);
            try
            {
                Problem = await StartOnceAsync();
            }
            finally
            {
                room.Release();
            }
        }
        catch (OperationCanceledException)
        {
            // it ended before it began
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or FleetException)
        {
            Problem = exception.Message;
        }
        catch (Exception exception)
        {
            Problem = exception.Message;
            FleetLogMessages.FleetCopyDefect(_services.Logger, Copy.Session, exception);
        }
    }

    private async Task<string?> StartOnceAsync()
    {
        string? ofTheNewest = null;
        await foreach (var found in _services.States.NewestAsync(Copy.Session, _ending.Token))
        {
            var (problem, isOfTheState) = found.State is { } state ? await StartFromAsync(Keep(state)) : (found.Problem, true);
            if (problem is null || !isOfTheState)
            {
                return problem; // as of a busy machine: the newest state is tried again
            }

            _ending.Token.ThrowIfCancellationRequested();
            if (ofTheNewest is null)
            {
                ofTheNewest = problem;
                FleetLogMessages.FleetStateUnusable(_services.Logger, Copy.Session, problem);
            }
        }

        // a game with states does not silently begin anew
        return ofTheNewest is null ? (await StartFromAsync(null)).Problem : $"none of its states can be used; of the newest: {ofTheNewest}";
    }

    /// <summary>Starts it. Returns why that was not possible, or null, and whether the state may be the reason.</summary>
    private async Task<(string? Problem, bool IsOfTheState)> StartFromAsync(StoredState? state)
    {
        try
        {
            var request = new EmulatorRequest(_assignment.Rom, _assignment.Options) { Id = Copy.Session, State = state, Lease = _services.Lease, SaveOfState = true };
            var result = _services.Programs.BundledGame(_assignment.Rom) is { } game
                ? await _services.Supervisor.StartAsync(request with { Rom = game })
                : await _services.Supervisor.StartNamedAsync(request);
            if (result.Failure is { } failure)
            {
                return (result.Detail, failure == SupervisionFailure.StartFailed);
            }

            Volatile.Write(ref _emulator, result.Emulator);
            return (null, false);
        }
        finally
        {
            if (state is not null)
            {
                _services.Store.Delete(state);
            }
        }
    }

    private StoredState? Keep(SessionState state)
    {
        var game = JsonSerializer.Deserialize(state.Description, NodeJson.Default.StoredGame) ?? throw new InvalidDataException("The state in the fleet's database has no description.");
        return _services.Store.Save($"fleet.{Copy.Session}", Copy.Session, new TakenState(state.Bytes, game, state.Frame, default))
            ?? throw new IOException("The data folder has as many states as it may have. Raise Bridge:Owned:MaxStates or MaxStateBytes of this host.");
    }
}

/// <summary>What hosts write into the description of a state.</summary>
[System.Text.Json.Serialization.JsonSourceGenerationOptions(PropertyNamingPolicy = System.Text.Json.Serialization.JsonKnownNamingPolicy.CamelCase)]
[System.Text.Json.Serialization.JsonSerializable(typeof(StoredGame))]
internal sealed partial class NodeJson : System.Text.Json.Serialization.JsonSerializerContext;
