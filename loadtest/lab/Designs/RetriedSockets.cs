using Microsoft.Extensions.ObjectPool;
using Polly;
using Polly.Retry;

namespace MgbaBridge.Lab.Designs;

/// <summary>
/// The pool that closes broken sockets instead of keeping them, and a retry (Polly) for what they failed: it survives an emulator that starts again. A
/// request that was sent before its connection broke may run twice, which is why the gateway sends each with an id that the script knows.
/// </summary>
internal sealed class RetriedSockets(int port) : Design(port)
{
    private const int Kept = 8;
    private static readonly TimeSpan AttemptTimeout = TimeSpan.FromSeconds(1);

    private readonly DefaultObjectPool<Slot> _pool = new(new OnlyUsable(), Kept);

    private readonly ResiliencePipeline _retry = new ResiliencePipelineBuilder()
        .AddRetry(new RetryStrategyOptions
        {
            MaxRetryAttempts = 6,
            BackoffType = DelayBackoffType.Exponential,
            UseJitter = true,
            Delay = TimeSpan.FromMilliseconds(20),
        })
        .AddTimeout(AttemptTimeout)
        .Build();

    public override Task<Reply> SendAsync(string command, CancellationToken cancel) =>
        _retry.ExecuteAsync(async token => await TryAsync(command, token), cancel).AsTask();

    private async Task<Reply> TryAsync(string command, CancellationToken cancel)
    {
        var slot = _pool.Get();
        try
        {
            slot.Socket ??= await ScriptSocket.OpenAsync(Port, cancel);
            return await slot.Socket.SendAsync(command, cancel);
        }
        finally
        {
            if (slot.Socket is { IsUsable: false })
            {
                slot.Socket.Dispose();
                slot.Socket = null;
            }

            _pool.Return(slot);
        }
    }

    private sealed class Slot : IDisposable
    {
        public ScriptSocket? Socket { get; set; }

        public void Dispose() => Socket?.Dispose();
    }

    /// <summary>Keeps places with a socket that works; the pool closes those for which it has no room.</summary>
    private sealed class OnlyUsable : PooledObjectPolicy<Slot>
    {
        public override Slot Create() => new();

        public override bool Return(Slot slot) => slot.Socket is { IsUsable: true };
    }
}
