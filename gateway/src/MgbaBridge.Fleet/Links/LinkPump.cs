using System.Buffers;
using System.Net.Security;
using System.Net.Sockets;

namespace MgbaBridge.Fleet.Links;

/// <summary>Passes bytes between an encrypted connection and one on loopback until both directions have ended.</summary>
internal static class LinkPump
{
    private const int BufferSize = 16_384;

    /// <summary>How long the other direction may continue when one has ended.</summary>
    private static readonly TimeSpan HalfClosedTime = TimeSpan.FromSeconds(2);

    /// <summary>Passes bytes in both directions. The end of a direction is passed on; the other one may still send what is under way.</summary>
    public static async Task RunAsync(SslStream link, NetworkStream local, CancellationToken cancellationToken)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var inward = CopyAsync(link, local, () => EndAsync(local), either);
        var outward = CopyAsync(local, link, link.ShutdownAsync, either);
        await Task.WhenAny(inward, outward);
        either.CancelAfter(HalfClosedTime);
        await Task.WhenAll(inward, outward);
    }

    private static Task EndAsync(NetworkStream stream)
    {
        stream.Socket.Shutdown(SocketShutdown.Send);
        return Task.CompletedTask;
    }

    private static async Task CopyAsync(Stream from, Stream to, Func<Task> end, CancellationTokenSource either)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(BufferSize);
        try
        {
            for (int count; (count = await from.ReadAsync(buffer, either.Token)) > 0;)
            {
                await to.WriteAsync(buffer.AsMemory(0, count), either.Token);
            }

            await end();
        }
        catch (Exception exception) when (exception is IOException or SocketException or ObjectDisposedException or OperationCanceledException or InvalidOperationException)
        {
            await either.CancelAsync(); // a connection was reset: so is the other one
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
