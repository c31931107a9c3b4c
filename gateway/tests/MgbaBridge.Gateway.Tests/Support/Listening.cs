using System.Net.Sockets;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>What servers of tests have in common.</summary>
internal static class Listening
{
    /// <summary>Serves each connection beside the others, until the listener is disposed of.</summary>
    public static async Task ServeEachAsync(this TcpListener listener, Func<Socket, Task> serve)
    {
        try
        {
            while (true)
            {
                _ = serve(await listener.AcceptSocketAsync());
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // the test is over; a listener that stops between two calls is no longer listening
        }
    }
}
