using System.Collections.Frozen;
using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Interfaces.Doors;
using MgbaBridge.Gateway.Operations.Status;

namespace MgbaBridge.Gateway.Interfaces.RetroArch;

/// <summary>Serves clients of RetroArch's Network Control Interface. Each emulator receives datagrams at the first free port of five.</summary>
internal sealed class RetroArchServer(
    RetroArchOptions options, EmulatorRegistry emulators, DoorClients clients, IServiceProvider services, TimeProvider time, ILogger<RetroArchServer> logger) : DoorServer(Door, emulators, time, logger)
{
    /// <summary>The name of the protocol.</summary>
    public const string Door = "retroarch";

    private readonly FrozenSet<IPAddress> _others = options.Clients.Select(IPAddress.Parse).ToFrozenSet();

    protected override async Task ServeAsync(EmulatorClient emulator, CancellationToken cancelled)
    {
        using var socket = await OpenAsync(emulator, SocketType.Dgram, _others.Count == 0 ? IPAddress.Loopback : IPAddress.Any, options.Port, cancelled);
        using var senders = new RetroArchSenders(_others, emulator, clients, Time);
        _ = Holder.TryCreate(Door, out var holder);
        var invocation = InvocationOf(emulator, options.Role, new RequestOptions { Holder = holder, Timeout = RetroArchSession.RequestTimeout }, services);
        await using var session = new RetroArchSession(invocation, socket);
        await new RetroArchDatagrams(socket, senders, session, emulator, logger).RunAsync(cancelled);
    }
}
