using System.Collections.Concurrent;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Transport;

/// <summary>
/// The programs on ports of this machine that are not the script that somebody looks for. Each is greeted once a minute at most, unless another
/// socket listens there.
/// </summary>
internal sealed class OtherPrograms(TimeProvider time)
{
    // behind a tunnel the program may change while its listener stays
    private static readonly TimeSpan GreetAgainAfter = TimeSpan.FromMinutes(1);

    private readonly ConcurrentDictionary<Place, Met> _met = [];

    /// <summary>Begins an attempt to connect. It reads the list of listeners once, before it connects: what fails is then what was greeted, and not a script that took its port meanwhile.</summary>
    public Attempt Begin() => new(this);

    private CommandFailure? Known(Place place, string? listener) =>
        listener is not null && _met.TryGetValue(place, out var met) && IsRecent(met) && met.Listener == listener ? met.Failure : null;

    private void Note(Place place, CommandFailure failure, string? listener)
    {
        if (listener is not null)
        {
            _met[place] = new Met(failure, listener, time.GetTimestamp());
        }

        foreach (var old in _met.Where(entry => !IsRecent(entry.Value)))
        {
            _met.TryRemove(old);
        }
    }

    private bool IsRecent(Met met) => time.GetElapsedTime(met.Since) < GreetAgainAfter;

    /// <summary>One attempt to connect, to one port or to several.</summary>
    internal readonly struct Attempt(OtherPrograms others)
    {
        private readonly Lazy<LocalListeners> _listeners = new(LocalListeners.Read);

        /// <summary>The failure that a port gives, if the program that listens there is known; null if it is to be greeted.</summary>
        public CommandFailure? Known(EmulatorAddress wanted, int port) => others.Known(new Place(wanted.Host, port, wanted.Nonce), ListenerAt(wanted.Host, port));

        /// <summary>What greeting a port resulted in, null for no failure.</summary>
        public void Greeted(EmulatorAddress wanted, int port, CommandFailure? failure)
        {
            if (failure is { Kind: CommandFailureKind.NotOurs })
            {
                others.Note(new Place(wanted.Host, port, wanted.Nonce), failure, ListenerAt(wanted.Host, port));
            }
        }

        // other systems do not tell one listener from another
        private string? ListenerAt(string host, int port) => OperatingSystem.IsLinux() && LocalListeners.IsHere(host) ? _listeners.Value.IdentityAt(port) : null;
    }

    // a script with another nonce than the wanted one is another program, but not for everybody
    private readonly record struct Place(string Host, int Port, string? Nonce);

    private sealed record Met(CommandFailure Failure, string Listener, long Since);
}
