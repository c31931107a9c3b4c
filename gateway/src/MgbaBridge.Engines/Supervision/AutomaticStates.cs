using System.Security.Cryptography;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Supervision;

/// <summary>Takes the state of a running owned emulator regularly, and notices when nobody uses it.</summary>
/// <param name="emulator">The emulator.</param>
/// <param name="services">The store, the settings and the clock.</param>
internal sealed class AutomaticStates(EmulatorClient emulator, SupervisionServices services) : IDisposable
{
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);

    // on a busy machine each frame may be longer than the silence that other requests wait for; an emulator that hangs is restarted
    private static readonly RequestOptions Patient = new() { OutlastsSilence = true, Timeout = TimeSpan.FromMinutes(1) };

    private long _lastTaken;
    private long _lastTried;
    private bool _isFailing;
    private long _lastFrame = -1;
    private long _requestsSeen;
    private long _usedAt;
    private Task _taking = Task.CompletedTask;
    private CancellationTokenSource _abandoned = new();

    /// <summary>The current run, and before it those that it continued, newest first.</summary>
    public IReadOnlyList<string> Runs { get; private set; } = [];

    /// <summary>The states of these runs, newest first.</summary>
    public IReadOnlyList<StoredState> Newest => services.States.AutomaticOf(Runs);

    /// <summary>A new run begins.</summary>
    /// <param name="continued">The runs that it continues.</param>
    public void BeginRun(IReadOnlyList<string> continued) =>
        Runs = [RandomNumberGenerator.GetHexString(16, lowercase: true), .. continued.Where(run => services.States.AutomaticOf(run).Count > 0)];

    /// <summary>The emulator answers from now on.</summary>
    public void Begin()
    {
        _lastTaken = _lastTried = _usedAt = services.Time.GetTimestamp();
        _requestsSeen = emulator.Requests;
    }

    /// <summary>Takes a state when one is due. True when nobody used the emulator for longer than the settings allow.</summary>
    public bool? Check()
    {
        var options = services.Options;
        if (options.KeptStates > 0 && _taking.IsCompleted && emulator.Health.Advances
            && services.Time.GetElapsedTime(_lastTaken) >= options.StateEvery && services.Time.GetElapsedTime(_lastTried) >= RetryAfter)
        {
            var tried = _lastTried = services.Time.GetTimestamp();
            _taking = Task.Run(() => TakeAsync(tried, _abandoned.Token));
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

    public void Dispose() => _abandoned.Dispose();

    private async Task TakeAsync(long now, CancellationToken abandoned)
    {
        try
        {
            var problem = await TakeAsync(abandoned);
            if (problem is null)
            {
                _lastTaken = now;
            }
            else if (!_isFailing)
            {
                SupervisionLog.StateNotTaken(services.Logger, emulator.Id, problem); // once: it is tried again soon
            }

            _isFailing = problem is not null;
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
    private async Task<string?> TakeAsync(CancellationToken abandoned)
    {
        try
        {
            var (state, failure) = await TakenState.TakeAsync(emulator, Patient, abandoned);
            if (failure is not null)
            {
                return failure.Detail;
            }

            if (state!.Frame != _lastFrame)
            {
                if (services.States.SaveAutomatic(emulator.Id, Runs[0], state) is null)
                {
                    return "There is no room; raise Bridge:Owned:MaxStates or MaxStateBytes, or delete states.";
                }

                _lastFrame = state.Frame;
            }

            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or UnexpectedReplyException)
        {
            return exception.Message;
        }
    }
}
