using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Emulator;

/// <summary>
/// Ends what connections held that have ended: keys, freezes, the lease. While the emulator is silent, unreachable or leased by another holder, the release is retried
/// without a time limit: a key must not remain pressed. Only connections that may hold something are kept, so the limits of the gateway's callers bound them.
/// </summary>
internal sealed class KeyReleases(EmulatorClient emulator, TimeProvider time) : IDisposable
{
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(500);

    private readonly Dictionary<string, Pending> _pending = [];
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _over = new();
    private bool _trying;

    /// <summary>Ends what an owner of this holder holds, now if possible, otherwise later.</summary>
    /// <param name="holder">The holder.</param>
    /// <param name="owner">The owner.</param>
    /// <param name="begun">Whether its taps end that have begun. Those that wait end anyway.</param>
    public async Task ReleaseAsync(Holder holder, Holder owner, bool begun = false)
    {
        var pending = new Pending(holder, owner, begun);
        if (await TryAsync(pending))
        {
            return;
        }

        lock (_gate)
        {
            _pending[owner.Name] = pending;
            if (_trying)
            {
                return;
            }

            _trying = true;
        }

        _ = TryAgainAsync();
    }

    /// <summary>Releases what an owner that is still connected holds, if the emulator answers; returns how much that was.</summary>
    public async Task<long> ReleaseNowAsync(RequestOptions options, CancellationToken cancelled)
    {
        using var reply = await emulator.SendAsync(new ReleaseOwner(), options, cancelled);
        return reply.Failure is null ? ReleaseOwner.Parse(reply) : 0;
    }

    /// <summary>Ends the lease of an owner, or of a holder without one. If the emulator does not answer, the lease ends by itself after its limit.</summary>
    public async Task ReleaseLeaseAsync(RequestOptions options)
    {
        using var reply = await emulator.SendAsync(new ReleaseLease(Owned: options.Owner is not null), options);
    }

    public void Dispose() => _over.Cancel();

    private async Task TryAgainAsync()
    {
        try
        {
            for (var left = TakePending(); left.Length > 0; left = TakePending())
            {
                await Task.Delay(Again, time, _over.Token);
                foreach (var pending in left)
                {
                    if (await TryAsync(pending))
                    {
                        Done(pending);
                    }
                }
            }
        }
        catch (OperationCanceledException)
        {
            // the session in the script ends with the gateway and releases its keys
        }
    }

    private Pending[] TakePending()
    {
        lock (_gate)
        {
            _trying = _pending.Count > 0;
            return [.. _pending.Values];
        }
    }

    private void Done(Pending pending)
    {
        lock (_gate)
        {
            _pending.Remove(pending.Owner.Name);
        }
    }

    /// <summary>True when nothing remains to be done: all is released, or this script cannot release it.</summary>
    private async Task<bool> TryAsync(Pending pending)
    {
        using var reply = await emulator.SendAsync(new ReleaseOwner(pending.Begun), new RequestOptions { Holder = pending.Holder, Owner = pending.Owner });
        return reply.Failure is null or { Kind: CommandFailureKind.Rejected, Code: not ErrorCode.Cancelled } or { Kind: CommandFailureKind.WrongVersion or CommandFailureKind.NotOurs };
    }

    private sealed record Pending(Holder Holder, Holder Owner, bool Begun);
}
