using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;

namespace MgbaBridge.Gateway.Hosting.HandOver;

/// <summary>Listeners that can leave new connections in the queue of a socket which outlives this process, for the next one to take, while
/// the connections that are open are still served.</summary>
internal sealed class PausableListeners(SocketTransportFactory sockets) : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    private volatile bool _paused;

    /// <summary>Accepts no more.</summary>
    public void Pause() => _paused = true;

    public bool CanBind(EndPoint endpoint) => sockets.CanBind(endpoint);

    public async ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default) =>
        new Listener(this, await sockets.BindAsync(endpoint, cancellationToken));

    private sealed class Listener(PausableListeners owner, IConnectionListener inner) : IConnectionListener
    {
        private readonly TaskCompletionSource<ConnectionContext?> _unbound = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public EndPoint EndPoint => inner.EndPoint;

        public ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default) =>
            owner._paused ? new ValueTask<ConnectionContext?>(_unbound.Task) : inner.AcceptAsync(cancellationToken);

        public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
        {
            _unbound.TrySetResult(null);
            return inner.UnbindAsync(cancellationToken);
        }

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}

/// <summary>Stops using a socket that was received from another process: new connections remain in its queue, and open ones are made to
/// reconnect, which puts them into the queue as well.</summary>
internal sealed class SocketRelease(PausableListeners listeners, ConnectionDrain drain, TimeSpan timeLimit, TimeProvider time) : HostedLifecycle
{
    public override Task StoppingAsync(CancellationToken cancellationToken)
    {
        listeners.Pause();
        drain.Begin();
        return Task.Delay(timeLimit, time, cancellationToken);
    }
}
