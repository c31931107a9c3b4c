using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Operations.States;

namespace MgbaBridge.Gateway.Operations.Vector;

/// <summary>Commands that continue from a state which the gateway keeps.</summary>
internal static class EpisodeStart
{
    private const StateFlags Parts = StateFlags.Screenshot | StateFlags.SaveData | StateFlags.Clock | StateFlags.Metadata;
    private const int Attempts = 5; // a game that crashed runs again first; it may need the lease and the state, and the emulator may restart in between
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(10);

    /// <summary>
    /// Sends a command, and with a state also does what the emulator lacks for it: it takes the lease, and has the emulator keep the state. An emulator
    /// that is started again is waited for as long as the options' timeout is not over: what the command did before is replaced by the state.
    /// </summary>
    public static async ValueTask<(Reply Reply, Failure? Failure)> SendAsync<TCommand>(
        this EmulatorClient emulator, TCommand command, StoredState? state, Invocation invocation, Func<RequestOptions> options)
        where TCommand : struct, ICommand<TCommand>
    {
        for (var attempt = 1; ; attempt++)
        {
            var reply = await emulator.SendAsync(command, options(), invocation.Cancelled);
            if (reply.Failure is not { } failed)
            {
                return (reply, null);
            }

            var failure = state is null || attempt >= Attempts ? Failure.Of(failed) : await PrepareAsync(emulator, failed, state, invocation, options);
            if (state is not null && failure?.OfCommand is { } why && IsAway(why) && await ReturnsAsync(emulator, invocation, options))
            {
                (failure, attempt) = (null, 0); // another process, which lacks everything again
            }

            if (failure is not null)
            {
                return (reply, failure);
            }

            reply.Dispose();
        }
    }

    /// <summary>What is left of a time limit; more than nothing, which would mean none.</summary>
    public static TimeSpan Left(TimeProvider time, long began, TimeSpan limit) => limit - time.GetElapsedTime(began) is var left && left > TimeSpan.Zero ? left : TimeSpan.FromTicks(1);

    // not what the script has refused
    private static bool IsAway(CommandFailure failure) => failure.Kind
        is CommandFailureKind.ConnectFailed or CommandFailureKind.ConnectTimedOut or CommandFailureKind.ConnectionLost or CommandFailureKind.Silent or CommandFailureKind.Indeterminate or CommandFailureKind.LeaseExpired;

    private static async ValueTask<bool> ReturnsAsync(EmulatorClient emulator, Invocation invocation, Func<RequestOptions> options)
    {
        var time = invocation.Get<TimeProvider>();
        do
        {
            if (options().Timeout <= Again)
            {
                return false;
            }

            await Task.Delay(Again, time, invocation.Cancelled);
        }
        while (!emulator.Health.Answers);
        return true;
    }

    /// <summary>Does what the command lacked. Returns why that is not possible, or null.</summary>
    private static async ValueTask<Failure?> PrepareAsync(EmulatorClient emulator, CommandFailure failure, StoredState state, Invocation invocation, Func<RequestOptions> options)
    {
        switch (failure.Code)
        {
            case ErrorCode.NoLease:
                using (var taken = await emulator.SendAsync(new TakeLease((long)Limits.LeaseLimit), options(), invocation.Cancelled))
                {
                    return taken.Failure is not { } why ? null
                        : why.Code == ErrorCode.NotRunning ? await LoadAsync()
                        : Failure.Of(why);
                }

            case ErrorCode.NotRunning:
                return await LoadAsync();

            case ErrorCode.NotFound:
                if (await LoadAsync() is { } unloaded)
                {
                    return unloaded;
                }

                using (var kept = await emulator.SendAsync(new KeepState(state.Sha256), options(), invocation.Cancelled))
                {
                    return kept.Failure is { } why ? Failure.Of(why) : null;
                }

            default: return Failure.Of(failure);
        }

        async ValueTask<Failure?> LoadAsync() => (await StoreOperations.LoadAsync(emulator, invocation.Get<StateStore>(), state.Name, Parts, anyRom: false, options(), invocation.Cancelled)).Failure;
    }
}
