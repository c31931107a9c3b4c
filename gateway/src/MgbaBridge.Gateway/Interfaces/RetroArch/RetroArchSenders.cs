using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Net;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations.Status;

namespace MgbaBridge.Gateway.Interfaces.RetroArch;

/// <summary>Who sends datagrams: only this machine and the allowed addresses are answered. A sender counts as a client until it is silent for a minute.</summary>
internal sealed class RetroArchSenders : IDisposable
{
    // of more, the later ones are answered and not listed
    private const int MaxListed = 64;

    private static readonly TimeSpan Silence = TimeSpan.FromMinutes(1);
    private static readonly IPEndPoint Form = new(IPAddress.Any, 0);

    private readonly ConcurrentDictionary<SocketAddress, DoorClient> _all = new();
    private readonly FrozenSet<IPAddress> _others;
    private readonly EmulatorClient _emulator;
    private readonly DoorClients _clients;
    private readonly ITimer _timer;

    public RetroArchSenders(FrozenSet<IPAddress> others, EmulatorClient emulator, DoorClients clients, TimeProvider time)
    {
        (_others, _emulator, _clients) = (others, emulator, clients);
        _timer = time.CreateTimer(_ => RemoveSilent(), null, Silence / 4, Silence / 4);
    }

    /// <summary>The sender of a datagram, if it may send any. Of one that is not listed, <paramref name="client"/> is null.</summary>
    public bool TryGet(SocketAddress address, out DoorClient? client)
    {
        if (_all.TryGetValue(address, out client))
        {
            return true;
        }

        var sender = (IPEndPoint)Form.Create(address);
        if (!IPAddress.IsLoopback(sender.Address) && !_others.Contains(sender.Address))
        {
            return false;
        }

        if (_all.Count < MaxListed)
        {
            client = _clients.Enter(RetroArchServer.Door, _emulator.Id, $"{sender}");
            _all[sender.Serialize()] = client;
        }

        return true;
    }

    public void Dispose()
    {
        _timer.Dispose();
        foreach (var client in _all.Values)
        {
            client.Dispose();
        }
    }

    private void RemoveSilent()
    {
        foreach (var (address, client) in _all)
        {
            if (client.IsSilentFor(Silence) && _all.TryRemove(address, out _))
            {
                client.Dispose();
            }
        }
    }
}
