using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>
/// Releases the keys of holders that are gone. While the emulator is silent, cannot be reached or is leased by somebody else, the release is tried
/// again, however long that takes: a key must not stay down. Only holders that pressed something come here, so the script's own limit bounds them.
/// </summary>
internal sealed class KeyReleases(EmulatorClient emulator, TimeProvider time) : IDisposable
{
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(500);

    private readonly Dictionary<string, Holder> _pending = [];
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _over = new();
    private bool _trying;

    /// <summary>Releases them now if that is possible, else later.</summary>
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
            // the session with the script ends with the gateway, and with it what it holds
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

    /// <summary>True when nothing is left to do: they are released, or this script does not release keys.</summary>
    private async Task<bool> TryAsync(Holder holder)
    {
        using var reply = await emulator.SendAsync(new ReleaseKeys(), new RequestOptions { Holder = holder });
        return reply.Failure is null or { Failure: Failure.Rejected, Code: not "cancelled" } or { Failure: Failure.WrongVersion or Failure.NotOurs };
    }
}
