using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Sixteen ports on which only this test's scripts listen. The port before them is occupied for as long, so that no other test takes them.</summary>
internal sealed class ScriptPorts : IDisposable
{
    // between the ports of Clients.FreePort and those that systems give to outgoing connections
    private const int Lowest = 30_900;
    private const int Highest = 32_700;
    private const int Count = 16;

    private readonly TcpListener _claim;
    private int _used;

    /// <summary>Takes them.</summary>
    public ScriptPorts()
    {
        while (true)
        {
            First = Random.Shared.Next(Lowest, Highest) / (Count + 1) * (Count + 1);
            _claim = new TcpListener(IPAddress.Loopback, First - 1) { ExclusiveAddressUse = true };
            try
            {
                _claim.Start();
                if (Enumerable.Range(First, Count).All(IsFree))
                {
                    return;
                }

                _claim.Stop();
            }
            catch (SocketException)
            {
                // of another test
            }
        }
    }

    /// <summary>The first one.</summary>
    public int First { get; }

    /// <summary>The setting of a gateway that searches them.</summary>
    public (string Key, string Value) Setting => ("Transport:FirstScriptPort", First.ToString(CultureInfo.InvariantCulture));

    /// <summary>The same on the command line.</summary>
    public string Argument => $"--Bridge:{Setting.Key}={Setting.Value}";

    /// <summary>The next one.</summary>
    public int Next() => First + (_used++ % Count);

    public void Dispose() => _claim.Stop();

    private static bool IsFree(int port)
    {
        using var listener = new TcpListener(IPAddress.Loopback, port);
        try
        {
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
