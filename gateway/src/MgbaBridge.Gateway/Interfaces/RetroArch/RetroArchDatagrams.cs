using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Operations.Status;

namespace MgbaBridge.Gateway.Interfaces.RetroArch;

/// <summary>
/// Receives the datagrams of an emulator's clients. Those that wait are handled together, so that their reads are of one frame; beyond them, datagrams wait in
/// the socket's buffer, and the system drops what does not fit. Receiving and dropping allocates nothing.
/// </summary>
internal sealed class RetroArchDatagrams(Socket socket, RetroArchSenders senders, RetroArchSession session, EmulatorClient emulator, ILogger logger)
{
    private const int MaxTogether = 64;

    // RetroArch reads no more
    private const int MaxLength = 2_047;
    private const int MaxCommands = 64;

    private readonly Datagram[] _datagrams = [.. Enumerable.Range(0, MaxTogether).Select(static _ => new Datagram())];

    /// <summary>Handles datagrams until it is cancelled.</summary>
    public async Task RunAsync(CancellationToken cancelled)
    {
        while (true)
        {
            try
            {
                var first = _datagrams[0];
                first.Length = await socket.ReceiveFromAsync(first.Buffer, SocketFlags.None, first.Sender, cancelled);
                await HandleAsync(ReceiveMore());
            }
            catch (SocketException)
            {
                GatewayMetrics.DoorDropped(RetroArchServer.Door, emulator.Id); // longer than the buffer, or the system's report about an earlier reply
            }
            catch (Exception exception) when (exception is not OperationCanceledException)
            {
                GatewayLog.DoorDefect(logger, RetroArchServer.Door, emulator.Id, exception);
            }
        }
    }

    // those that have arrived; returns how many there are with the first
    private int ReceiveMore()
    {
        var count = 1;
        while (count < MaxTogether && socket.Available > 0)
        {
            var next = _datagrams[count++];
            next.Length = socket.ReceiveFrom(next.Buffer.Span, SocketFlags.None, next.Sender);
        }

        return count;
    }

    private async ValueTask HandleAsync(int count)
    {
        for (var index = 0; index < count; index++)
        {
            var datagram = _datagrams[index];
            if (!senders.TryGet(datagram.Sender, out var client))
            {
                GatewayMetrics.DoorDropped(RetroArchServer.Door, emulator.Id);
                continue;
            }

            await HandleAsync(datagram.Sender, datagram.Buffer[..Math.Min(datagram.Length, MaxLength)], client);
        }

        await session.FlushAsync();
    }

    private async ValueTask HandleAsync(SocketAddress sender, ReadOnlyMemory<byte> rest, DoorClient? client)
    {
        var hotkeys = 0;
        for (var count = 0; count < MaxCommands && !rest.IsEmpty; count++)
        {
            var end = rest.Span.IndexOf((byte)'\n');
            var command = RetroArchCommand.Parse(end < 0 ? rest : rest[..end]);
            rest = end < 0 ? default : rest[(end + 1)..];
            if (command.Verb == RetroArchVerb.None)
            {
                GatewayMetrics.DoorDropped(RetroArchServer.Door, emulator.Id);
                continue;
            }

            client?.Count(command.Name);
            var isAgain = command.IsHotkey && (hotkeys & (1 << (int)command.Verb)) != 0;
            hotkeys |= 1 << (int)command.Verb;
            if (!isAgain)
            {
                await session.RunAsync(command, sender);
            }
        }
    }

    private sealed class Datagram
    {
        public Memory<byte> Buffer { get; } = new byte[MaxLength + 1];

        public SocketAddress Sender { get; } = new(AddressFamily.InterNetwork);

        public int Length { get; set; }
    }
}
