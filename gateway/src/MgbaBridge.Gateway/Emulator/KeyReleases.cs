using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>
/// Releases the keys of holders that have left. While the emulator is silent, unreachable or leased by another holder, the release is retried
/// without a time limit: a key must not remain pressed. Only holders that pressed a key are kept, so the script's limit of holders bounds them.
/// </summary>
internal sealed class KeyReleases(EmulatorClient emulator, TimeProvider time) : IDisposable
{
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(500);

    private readonly Dictionary<string, Holder> _pending = [];
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _over = new();
    private bool _trying;

    /// <summary>Releases the keys now if possible, otherwise later.</summary>
    public async Task ReleaseAsync(Holder holder)
    {
        if (await TryAsync(holder))
        {
            return;
        }

        lock (_gate)
        {
            _pending[holder.Name] = holder;
            if (_trying)
            {
                return;
            }

            _trying = true;
        }

        _ = TryAgainAsync();
    }

    /// <inheritdoc/>
    public void Dispose() => _over.Cancel();

    private async Task TryAgainAsync()
    {
        try
        {
            for (var left = TakePending(); left.Length > 0; left = TakePending())
            {
                await Task.Delay(Again, time, _over.Token);
                foreach (var holder in left)
                {
                    if (await TryAsync(holder))
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

    private Holder[] TakePending()
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

    /// <summary>True when nothing remains to be done: the keys are released, or this script cannot release keys.</summary>
    private async Task<bool> TryAsync(Holder holder)
    {
        using var reply = await emulator.SendAsync(new ReleaseKeys(), new RequestOptions { Holder = holder });
        return reply.Failure is null or { Failure: Failure.Rejected, Code: not "cancelled" } or { Failure: Failure.WrongVersion or Failure.NotOurs };
    }
}
