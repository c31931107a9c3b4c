using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Emulator;

namespace MgbaBridge.Gateway.Supervision;

/// <summary>Takes the state of a running owned emulator regularly, and notices when nobody uses it.</summary>
/// <param name="emulator">The emulator.</param>
/// <param name="services">The store, the settings and the clock.</param>
internal sealed class AutomaticStates(EmulatorClient emulator, SupervisionServices services) : IDisposable
{
    private DateTimeOffset _since = services.Time.GetUtcNow();
    private long _lastTaken;
    private long _lastFrame = -1;
    private long _requestsSeen;
    private long _usedAt;
    private Task _taking = Task.CompletedTask;
    private CancellationTokenSource _abandoned = new();

    /// <summary>The states since the emulator was started, newest first. Those of an earlier gateway may be of another game, or long past.</summary>
    public IReadOnlyList<StoredState> Newest => [.. services.States.AutomaticOf(emulator.Id).Where(state => state.SavedAt >= _since)];

    /// <summary>The emulator answers from now on.</summary>
    public void Begin()
    {
        _lastTaken = _usedAt = services.Time.GetTimestamp();
        _requestsSeen = emulator.Requests;
    }

    /// <summary>Takes a state when one is due. True when nobody used the emulator for longer than the settings allow.</summary>
    public bool? Look()
    {
        var options = services.Options;
        _since = Min(_since, services.Time.GetUtcNow()); // the clock may be set back
        if (options.KeptStates > 0 && _taking.IsCompleted && emulator.Health.Advances && services.Time.GetElapsedTime(_lastTaken) >= options.StateEvery)
        {
            _lastTaken = services.Time.GetTimestamp();
            _taking = Task.Run(() => TakeAsync(_abandoned.Token));
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

    /// <inheritdoc/>
    public void Dispose() => _abandoned.Dispose();

    private static DateTimeOffset Min(DateTimeOffset first, DateTimeOffset second) => first < second ? first : second;

    private async Task TakeAsync(CancellationToken abandoned)
    {
        try
        {
            var (state, failure) = await TakenState.TakeAsync(emulator, abandoned);
            if (failure is not null)
            {
                Log.StateNotTaken(services.Logger, emulator.Id, failure.Detail);
            }
            else if (state!.Frame != _lastFrame)
            {
                _lastFrame = state.Frame;
                if (services.States.SaveAutomatic(emulator.Id, state) is null)
                {
                    Log.StateNotTaken(services.Logger, emulator.Id, "There is no room; raise Bridge:Owned:MaxStates or MaxStateBytes, or delete states.");
                }
            }
        }
        catch (OperationCanceledException)
        {
            // the emulator failed, which is logged
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or Commands.UnexpectedReplyException)
        {
            Log.StateNotTaken(services.Logger, emulator.Id, exception.Message);
        }
        finally
        {
            _requestsSeen = emulator.Requests;
        }
    }
}
