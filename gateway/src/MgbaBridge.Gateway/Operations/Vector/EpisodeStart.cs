using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Operations.States;

namespace MgbaBridge.Gateway.Operations.Vector;

/// <summary>Commands that continue from a state which the gateway keeps.</summary>
internal static class EpisodeStart
{
    private const StateFlags Parts = StateFlags.Screenshot | StateFlags.SaveData | StateFlags.Clock | StateFlags.Metadata;
    private const int Attempts = 4; // it may need the lease and the state first, and the emulator may restart in between

    /// <summary>Sends a command, and with a state also does what the emulator lacks for it: it takes the lease, and has the emulator keep the state.</summary>
    public static async ValueTask<(Reply Reply, Refusal? Refusal)> SendAsync<TCommand>(
        this EmulatorClient emulator, TCommand command, StoredState? state, OperationContext context, Func<RequestOptions> options)
        where TCommand : struct, ICommand<TCommand>
    {
        for (var attempt = 1; ; attempt++)
        {
            var reply = await emulator.SendAsync(command, options(), context.Cancelled);
            if (reply.Failure is not { } failure)
            {
                return (reply, null);
            }

            var refusal = state is null || attempt == Attempts ? Refusal.Of(failure) : await PrepareAsync(emulator, failure, state, context, options);
            if (refusal is not null)
            {
                return (reply, refusal);
            }

            reply.Dispose();
        }
    }

    /// <summary>Does what the command lacked. Returns why that is not possible, or null.</summary>
    private static async ValueTask<Refusal?> PrepareAsync(EmulatorClient emulator, FailureReport failure, StoredState state, OperationContext context, Func<RequestOptions> options)
    {
        switch (failure.Code)
        {
            case RefusalCode.NoLease:
                using (var taken = await emulator.SendAsync(new TakeLease((long)Limits.LeaseLimit), options(), context.Cancelled))
                {
                    return taken.Failure is { } why ? Refusal.Of(why) : null;
                }

            case RefusalCode.NotFound:
                if (await StoreOperations.LoadAsync(emulator, context.Get<StateStore>(), state.Name, Parts, options(), context.Cancelled) is { Refusal: { } refusal })
                {
                    return refusal;
                }

                using (var kept = await emulator.SendAsync(new KeepState(state.Sha256), options(), context.Cancelled))
                {
                    return kept.Failure is { } why ? Refusal.Of(why) : null;
                }

            default: return Refusal.Of(failure);
        }
    }
}
