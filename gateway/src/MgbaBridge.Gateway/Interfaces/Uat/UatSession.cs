using System.Net.WebSockets;
using System.Text.Json;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Status;

namespace MgbaBridge.Gateway.Interfaces.Uat;

/// <summary>One client: it gets the slots, and the variables of all slots when they change or when it requests them.</summary>
internal sealed class UatSession(WebSocket socket, string caller, UatOptions options, EmulatorRegistry emulators, SymbolStore store, DoorClients clients, TimeProvider time) : IDisposable
{
    private const int MaxPacket = 65_536;

    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(250); // for emulators that were added or removed
    private static readonly TimeSpan SendTimeout = TimeSpan.FromSeconds(5);

    private readonly SemaphoreSlim _sending = new(1, 1);
    private readonly byte[] _packet = new byte[MaxPacket];
    private volatile UatSlot[] _slots = [];

    /// <summary>Serves it until it leaves, sends something that is not JSON, or does not read for 5 s.</summary>
    public async Task RunAsync(CancellationToken cancelled)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
        Task[] both = [ServeSlotsAsync(ended.Token), AnswerAsync(ended.Token)];
        await Task.WhenAny(both);
        await ended.CancelAsync();
        await Task.WhenAll(both);
    }

    public void Dispose() => _sending.Dispose();

    private async Task ServeSlotsAsync(CancellationToken cancelled)
    {
        try
        {
            using var timer = new PeriodicTimer(PollInterval, time);
            do
            {
                IReadOnlyList<EmulatorClient> present = [.. emulators.WithoutOwner]; // its clients have no tokens
                if (!present.SequenceEqual(_slots.Select(static slot => slot.Emulator)))
                {
                    await ReplaceSlotsAsync(present);
                }

                foreach (var failed in _slots.Where(static slot => slot.Sending.IsFaulted))
                {
                    await failed.Sending;
                }
            }
            while (await timer.WaitForNextTickAsync(cancelled));
        }
        finally
        {
            foreach (var slot in _slots)
            {
                await slot.DisposeAsync();
            }
        }
    }

    private async Task ReplaceSlotsAsync(IReadOnlyList<EmulatorClient> present)
    {
        var before = _slots;
        var added = present.Except(before.Select(static slot => slot.Emulator)).Select(Open).ToArray();
        _slots = [.. present.Select(emulator => before.Concat(added).First(slot => slot.Emulator == emulator))];
        foreach (var removed in before.Except(_slots))
        {
            await removed.DisposeAsync();
        }

        await SendAsync(UatPacket.Info(_slots.Select(static slot => slot.Emulator.Id)));
        Array.ForEach(added, static slot => slot.Start());
    }

    private UatSlot Open(EmulatorClient emulator) =>
        new(emulator, new UatVariables(emulator, store, options.Variables), clients.Enter(UatServer.Door, emulator.Id, caller), SendAsync, time);

    private async Task AnswerAsync(CancellationToken cancelled)
    {
        while (await ReceiveAsync(cancelled) is { } packet)
        {
            IReadOnlyList<UatCommand> commands;
            try
            {
                commands = UatCommand.ReadPacket(packet);
            }
            catch (JsonException)
            {
                await CloseAsync(WebSocketCloseStatus.InvalidPayloadData, "A packet is JSON.");
                return;
            }

            var errors = new List<UatError>();
            foreach (var command in commands)
            {
                errors.AddRange(await RunAsync(command, cancelled));
            }

            if (errors.Count > 0)
            {
                await SendAsync(UatPacket.Errors(errors));
            }
        }
    }

    private async Task<IEnumerable<UatError>> RunAsync(UatCommand command, CancellationToken cancelled)
    {
        if (command.Error is { } error)
        {
            return [error];
        }

        var slots = _slots;
        var wanted = command.Slot.Length == 0 ? slots : [.. slots.Where(slot => slot.Emulator.Id == command.Slot)];
        if (wanted.Length == 0)
        {
            return [UatCommand.UnknownSlot(slots.Select(static slot => slot.Emulator.Id))];
        }

        var problems = new List<string>();
        foreach (var slot in wanted)
        {
            problems.AddRange(await slot.SyncAsync(cancelled));
        }

        return problems.Select(UatCommand.Unreadable);
    }

    // null when the connection ends
    private async Task<ReadOnlyMemory<byte>?> ReceiveAsync(CancellationToken cancelled)
    {
        var length = 0;
        while (true)
        {
            var received = await socket.ReceiveAsync(_packet.AsMemory(length), cancelled);
            length += received.Count;
            if (received.MessageType == WebSocketMessageType.Close)
            {
                await CloseAsync(WebSocketCloseStatus.NormalClosure, null);
                return null;
            }

            if (received.EndOfMessage)
            {
                return _packet.AsMemory(0, length);
            }

            if (length == MaxPacket)
            {
                await CloseAsync(WebSocketCloseStatus.MessageTooBig, $"A packet has up to {MaxPacket} bytes.");
                return null;
            }
        }
    }

    private Task CloseAsync(WebSocketCloseStatus status, string? why) => SendAsync(late => socket.CloseOutputAsync(status, why, late));

    private Task SendAsync(ReadOnlyMemory<byte> packet) => SendAsync(late => socket.SendAsync(packet, WebSocketMessageType.Text, endOfMessage: true, late).AsTask());

    // a send that is cancelled aborts the connection
    private async Task SendAsync(Func<CancellationToken, Task> send)
    {
        using var late = new CancellationTokenSource(SendTimeout, time);
        await _sending.WaitAsync(late.Token);
        try
        {
            await send(late.Token);
        }
        finally
        {
            _sending.Release();
        }
    }
}
