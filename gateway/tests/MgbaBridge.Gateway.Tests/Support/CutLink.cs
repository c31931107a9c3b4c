using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>A link to an emulator that breaks each of its connections at a random byte, in one direction or the other.</summary>
internal sealed class CutLink : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly int _emulatorPort;
    private readonly int _about;
    private readonly Task _accepting;
    private int _accepted;
    private int _cuts;

    private CutLink(int emulatorPort, int about)
    {
        (_emulatorPort, _about) = (emulatorPort, about);
        _listener.Start(backlog: 128);
        _accepting = _listener.ServeEachAsync(client => CarryAsync(client, ++_accepted));
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Connections that were cut.</summary>
    public int Cuts => Volatile.Read(ref _cuts);

    /// <summary>Starts one. A connection carries <paramref name="about"/> bytes on the average in each direction.</summary>
    public static CutLink To(int emulatorPort, int about) => new(emulatorPort, about);

    public async ValueTask DisposeAsync()
    {
        _listener.Dispose();
        await _accepting;
    }

    private async Task CarryAsync(Socket client, int number)
    {
        using var near = client;
        using var far = new Socket(SocketType.Stream, ProtocolType.Tcp);
        near.NoDelay = far.NoDelay = true;
        await far.ConnectAsync(IPAddress.Loopback, _emulatorPort);
        // the greeting of most goes through whole: where none did, the gateway would rightly stop trying for a while
        var random = new Random(number);
        var greeted = number % 20 != 0;
        var up = CarryAsync(near, far, random.Next(_about * 2), greeted);
        var down = CarryAsync(far, near, random.Next(_about * 2), greeted);
        if (await await Task.WhenAny(up, down))
        {
            Interlocked.Increment(ref _cuts);
        }

        near.Close(0);
        far.Close(0);
        await Task.WhenAll(up, down);
    }

    /// <summary>True when it ended by a cut.</summary>
    private static async Task<bool> CarryAsync(Socket from, Socket to, int limit, bool greeted)
    {
        var buffer = new byte[65_536];
        var carried = 0;
        try
        {
            for (int count; (count = await from.ReceiveAsync(buffer)) > 0; greeted = false)
            {
                var allowed = greeted ? count : Math.Min(count, limit - carried);
                for (var at = 0; at < allowed;)
                {
                    at += await to.SendAsync(buffer.AsMemory(at, allowed - at));
                }

                carried += greeted ? 0 : allowed;
                if (carried >= limit && !greeted)
                {
                    return true;
                }
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // one of the two ended it
        }

        return false;
    }
}
