using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Emulator;

/// <summary>
/// Releases the keys and freezes of holders that have left. While the emulator is silent, unreachable or leased by another holder, the release is retried
/// without a time limit: a key must not remain pressed. Only holders that pressed a key are kept, so the script's limit of holders bounds them.
/// </summary>
internal sealed class KeyReleases(EmulatorClient emulator, TimeProvider time) : IDisposable
{
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(500);

    private readonly Dictionary<string, (Holder Holder, bool HasFreezes)> _pending = [];
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
            _pending[holder.Name] = (holder, hasFreezes);
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
                foreach (var (holder, hasFreezes) in left)
                {
                    if (await TryAsync(holder, hasFreezes))
                    {
                        Done(holder);
                    }
                }
            }
        }
        catch (OperationCanceledException)
        {
            // the session in the script ends with the gateway and releases its keys
        }
    }

    private (Holder Holder, bool HasFreezes)[] TakePending()
    {
        lock (_gate)
        {
            _trying = _pending.Count > 0;
            return [.. _pending.Values];
        }
    }

    private void Done(Holder holder)
    {
        lock (_gate)
        {
            _pending.Remove(holder.Name);
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
}
