using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations.Status;

namespace MgbaBridge.Gateway.Interfaces.Uat;

/// <summary>An emulator as a slot of one client, which gets the variables that have changed after each frame.</summary>
internal sealed class UatSlot(EmulatorClient emulator, UatVariables variables, DoorClient client, Func<ReadOnlyMemory<byte>, Task> send, TimeProvider time) : IAsyncDisposable
{
    private static readonly TimeSpan RetryInterval = TimeSpan.FromSeconds(1);
    private static readonly EventTopic[] Topics = [new("frame"), new("game"), new("script")];

    private readonly CancellationTokenSource _ended = new();
    private readonly SemaphoreSlim _reading = new(1, 1);

    /// <summary>The emulator.</summary>
    public EmulatorClient Emulator => emulator;

    /// <summary>Sends changes from now on. It fails when the client cannot be sent to.</summary>
    public Task Sending { get; private set; } = Task.CompletedTask;

    /// <summary>Starts to send changes.</summary>
    public void Start() => Sending = SendChangesAsync(_ended.Token);

    /// <summary>Sends all variables. Returns why some could not be read.</summary>
    public async Task<IReadOnlyList<string>> SyncAsync(CancellationToken cancelled)
    {
        client.Count("Sync");
        return await SendAsync(all: true, cancelled);
    }

    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync();
        await Sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        client.Dispose();
        _ended.Dispose();
    }


    private async Task SendChangesAsync(CancellationToken cancelled)
    {
        using var subscription = emulator.Events.Join();
        while ((await emulator.Events.AddAsync(subscription, Topics, null, cancelled)).Failure is not null)
        {
            await Task.Delay(RetryInterval, time, cancelled); // the script does not answer
        }

        do
        {
            while (subscription.Waiting.TryRead(out _))
            {
                // one reading for all events that wait
            }

            await SendAsync(all: false, cancelled);
        }
        while (await subscription.Waiting.WaitToReadAsync(cancelled));
    }

    private async Task<IReadOnlyList<string>> SendAsync(bool all, CancellationToken cancelled)
    {
        await _reading.WaitAsync(cancelled);
        try
        {
            var (read, problems) = await variables.ReadAsync(all, cancelled);
            if (read.Count > 0)
            {
                await send(UatPacket.Variables(emulator.Id, read));
            }

            return problems;
        }
        finally
        {
            _reading.Release();
        }
    }
}
