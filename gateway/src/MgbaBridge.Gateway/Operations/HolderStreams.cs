using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations;

/// <summary>The holders whose programs run: each has a stream open, and what it has ends with the last one.</summary>
/// <param name="emulators">Where their leases are.</param>
/// <param name="states">Where their temporary states are.</param>
internal sealed class HolderStreams(EmulatorRegistry emulators, StateStore states)
{
    private readonly Dictionary<string, int> _open = [];
    private readonly Lock _gate = new();

    /// <summary>The holders whose streams are open.</summary>
    public string[] Open
    {
        get
        {
            lock (_gate)
            {
                return [.. _open.Keys];
            }
        }
    }

    /// <summary>The name of a caller's holder, which those of other owners do not have.</summary>
    public static string NameOf(Caller caller, Holder? holder) => $"{caller.Owner}/{(holder ?? Holder.Http).Name}";

    /// <summary>That something cannot be temporary.</summary>
    public static Failure NotOpen(Holder? holder, string what) =>
        Failure.BadRequest($"No stream of the holder {holder?.Name} is open, with which {what} ends: open POST /v2/holder/stream first, or omit temporary.");

    /// <summary>Whether a stream of a holder is open.</summary>
    public bool IsOpen(string holder)
    {
        lock (_gate)
        {
            return _open.ContainsKey(holder);
        }
    }

    /// <summary>Counts a stream.</summary>
    public void Enter(Caller caller, Holder holder)
    {
        lock (_gate)
        {
            var name = NameOf(caller, holder);
            _open[name] = _open.GetValueOrDefault(name) + 1;
        }

        DeleteStates(static (streams, owner) => !streams.IsOpen(owner)); // what a gateway that was killed has left
    }

    /// <summary>Counts a stream no more. After the last one, what the holder has ends.</summary>
    /// <param name="caller">The caller.</param>
    /// <param name="options">What its commands are sent with.</param>
    /// <param name="keepsLeases">Whether its leases stay, because the program runs on and the gateway does not.</param>
    public async Task LeaveAsync(Caller caller, RequestOptions options, bool keepsLeases)
    {
        var holder = options.Holder!;
        var name = NameOf(caller, holder);
        lock (_gate)
        {
            if (--_open[name] > 0)
            {
                return;
            }

            _open.Remove(name);
        }

        DeleteStates((_, owner) => owner == name);
        if (!keepsLeases)
        {
            await Task.WhenAll(emulators.SeenBy(caller.Owner).Where(emulator => emulator.Health.LeaseHolder == holder.Name).Select(emulator => emulator.Releases.ReleaseLeaseAsync(options)));
        }
    }

    private void DeleteStates(Func<HolderStreams, string, bool> isOver)
    {
        try
        {
            foreach (var state in states.All.Where(state => state.Holder is { } owner && isOver(this, owner)))
            {
                states.Delete(state);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // a folder that cannot be read or written is reported to those who use states
        }
    }
}
