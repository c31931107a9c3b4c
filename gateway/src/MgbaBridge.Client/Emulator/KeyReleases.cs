using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Emulator;

/// <summary>
/// Releases the keys and freezes of holders that have left. While the emulator is silent, unreachable or leased by another holder, the release is retried
/// without a time limit: a key must not remain pressed. Only holders that pressed a key are kept, so the script's limit of holders bounds them.
/// </summary>
internal sealed class KeyReleases(EmulatorClient emulator, TimeProvider time) : IDisposable
{
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(500);

    private readonly Dictionary<string, Pending> _pending = [];
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _over = new();
    private bool _trying;

    /// <summary>Releases the keys, and the freezes if there may be any, now if possible, otherwise later.</summary>
    public async Task ReleaseAsync(Holder holder, bool hasFreezes = false)
    {
        if (await TryAsync(holder, hasFreezes))
        {
            return;
        }

        lock (_gate)
        {
            var before = _pending.GetValueOrDefault(holder.Name);
            _pending[holder.Name] = new Pending(holder, hasFreezes || before?.HasFreezes == true);
            if (_trying)
            {
                return;
            }

            _trying = true;
        }

        _ = TryAgainAsync();
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
                    if (await TryAsync(pending.Holder, pending.HasFreezes))
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

    // unless the holder has left again meanwhile
    private void Done(Pending pending)
    {
        lock (_gate)
        {
            if (ReferenceEquals(_pending.GetValueOrDefault(pending.Holder.Name), pending))
            {
                _pending.Remove(pending.Holder.Name);
            }
        }
    }

    /// <summary>True when nothing remains to be done: all is released, or this script cannot release it.</summary>
    private async Task<bool> TryAsync(Holder holder, bool hasFreezes)
    {
        var options = new RequestOptions { Holder = holder };
        using var keys = await emulator.SendAsync(new ReleaseKeys(), options);
        if (!hasFreezes || !IsDone(keys))
        {
            return IsDone(keys);
        }

        using var freezes = await emulator.SendAsync(new UnfreezeMemory(null), options);
        return IsDone(freezes);
    }

    private static bool IsDone(Reply reply) =>
        reply.Failure is null or { Failure: Failure.Rejected, Code: not RefusalCode.Cancelled } or { Failure: Failure.WrongVersion or Failure.NotOurs };

    private sealed record Pending(Holder Holder, bool HasFreezes);
}
