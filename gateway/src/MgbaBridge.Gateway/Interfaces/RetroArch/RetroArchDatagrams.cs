using System.Diagnostics.CodeAnalysis;
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

    // of a longer one RetroArch takes the beginning, which may end within a byte to write
    private const int MaxLength = 2_047;

    private readonly Datagram[] _datagrams = [.. Enumerable.Range(0, MaxTogether).Select(static _ => new Datagram())];

    // the datagrams that were received together, the one that is read, and what of it is still to be read
    private int _count;
    private int _current;
    private ReadOnlyMemory<byte> _rest;
    private DoorClient? _client;
    private int _hotkeys;

    /// <summary>Handles datagrams until it is cancelled.</summary>
    public async Task RunAsync(CancellationToken cancelled)
    {
        while (true)
        {
            try
            {
                var first = _datagrams[0];
                first.Length = await socket.ReceiveFromAsync(first.Buffer, SocketFlags.None, first.Sender, cancelled);
                ReceiveMore();
                while (TryTake(out var command, out var sender))
                {
                    await session.RunAsync(command, sender);
                }

                await session.FlushAsync();
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

    // those that have arrived after the first
    private void ReceiveMore()
    {
        (_count, _current, _rest) = (1, -1, default);
        while (_count < MaxTogether && socket.Available > 0)
        {
            var next = _datagrams[_count];
            next.Length = socket.ReceiveFrom(next.Buffer.Span, SocketFlags.None, next.Sender);
            _count++;
        }
    }

    // the next command of the datagrams
    private bool TryTake(out RetroArchCommand command, [NotNullWhen(true)] out SocketAddress? sender)
    {
        while (true)
        {
            while (_rest.IsEmpty)
            {
                if (++_current >= _count)
                {
                    (command, sender) = (default, null);
                    return false;
                }

                Open(_datagrams[_current]);
            }

            var end = _rest.Span.IndexOf((byte)'\n');
            command = RetroArchCommand.Parse(end < 0 ? _rest : _rest[..end]);
            _rest = end < 0 ? default : _rest[(end + 1)..];
            if (command.Verb == RetroArchVerb.None)
            {
                GatewayMetrics.DoorDropped(RetroArchServer.Door, emulator.Id);
                continue;
            }

            _client?.Count(command.Name);
            var isAgain = command.IsHotkey && (_hotkeys & (1 << (int)command.Verb)) != 0;
            _hotkeys |= 1 << (int)command.Verb;
            if (!isAgain)
            {
                sender = _datagrams[_current].Sender;
                return true;
            }
        }
    }

    private void Open(Datagram datagram)
    {
        var isTaken = senders.TryGet(datagram.Sender, out _client) && datagram.Length <= MaxLength;
        (_rest, _hotkeys) = (isTaken ? datagram.Text : default, 0);
        if (!isTaken)
        {
            GatewayMetrics.DoorDropped(RetroArchServer.Door, emulator.Id);
        }
    }

    private sealed class Datagram
    {
        public Memory<byte> Buffer { get; } = new byte[MaxLength + 1];

        public SocketAddress Sender { get; } = new(AddressFamily.InterNetwork);

        public int Length { get; set; }

        // up to the NUL that ends a text in C
        public ReadOnlyMemory<byte> Text => Buffer.Span[..Length].IndexOf((byte)0) is >= 0 and var end ? Buffer[..end] : Buffer[..Length];
    }
}
