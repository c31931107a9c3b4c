using Microsoft.Extensions.ObjectPool;

namespace MgbaBridge.Lab.Designs;

/// <summary>
/// A pool of sockets (ObjectPool): a request takes one and gives it back. Get never waits, so more requests at once open more sockets; and the pool gives
/// out what it got, also sockets that are broken.
/// </summary>
internal sealed class PooledSockets(int port) : Design(port)
{
    private const int Kept = 8;

    private readonly DefaultObjectPool<Slot> _pool = new(new DefaultPooledObjectPolicy<Slot>(), Kept);

    public override async Task<Reply> SendAsync(string command, CancellationToken cancel)
    {
        var slot = _pool.Get();
        try
        {
            slot.Socket ??= await ScriptSocket.OpenAsync(Port, cancel);
            return await slot.Socket.SendAsync(command, cancel);
        }
        finally
        {
            _pool.Return(slot);
        }
    }

    /// <summary>A place for a socket: a pool creates its objects without waiting, and a socket has to connect.</summary>
    private sealed class Slot
    {
        public ScriptSocket? Socket { get; set; }
    }
}
