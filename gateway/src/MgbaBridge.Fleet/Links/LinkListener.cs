using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Fleet.Links;

/// <summary>Accepts connections until it is disposed, and serves each by itself.</summary>
internal sealed class LinkListener : IAsyncDisposable
{
    private static readonly TimeSpan PauseAfterFailure = TimeSpan.FromMilliseconds(100);

    private readonly TcpListener _listener;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _accepting;

    /// <summary>Begins to listen. <paramref name="serve"/> gets a connection, which closes afterwards, and a token that ends it.</summary>
    /// <exception cref="SocketException">It is not possible at this address and port.</exception>
    public LinkListener(IPAddress address, int port, TimeProvider time, Func<Socket, CancellationToken, Task> serve, Action<string> failed)
    {
        _listener = new TcpListener(address, port);
        _listener.Start();
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        _accepting = Task.Run(() => AcceptAsync(time, serve, failed));
    }

    /// <summary>The port.</summary>
    public int Port { get; }

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        _listener.Dispose();
        await _accepting;
    }

    private async Task AcceptAsync(TimeProvider time, Func<Socket, CancellationToken, Task> serve, Action<string> failed)
    {
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                var socket = await _listener.AcceptSocketAsync(_stopping.Token);
                _ = Task.Run(() => ServeAsync(socket, serve));
            }
            catch (Exception) when (_stopping.IsCancellationRequested)
            {
                return;
            }
            catch (SocketException exception)
            {
                failed(exception.Message); // such as: no more descriptors
                await Task.Delay(PauseAfterFailure, time, _stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    private async Task ServeAsync(Socket socket, Func<Socket, CancellationToken, Task> serve)
    {
        using (socket)
        {
            await serve(socket, _stopping.Token);
        }
    }
}
