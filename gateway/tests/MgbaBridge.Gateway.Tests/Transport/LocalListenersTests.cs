using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class LocalListenersTests
{
    [Fact]
    public void Listeners_OfBothFamilies_AreTold()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells one listener from another.");
        var port = Clients.FreePort();
        using var first = new TcpListener(IPAddress.Loopback, port);
        first.Start();
        using var second = new TcpListener(IPAddress.IPv6Loopback, port);
        second.Start();
        var listeners = LocalListeners.Read();
        Assert.Contains(port, listeners.Ports);
        Assert.Equal([new IPEndPoint(IPAddress.Loopback, port), new IPEndPoint(IPAddress.IPv6Loopback, port)], listeners[port].Select(listener => listener.EndPoint));
        Assert.Equal(2, listeners[port].Select(listener => listener.Inode).Distinct().Count());

        second.Stop();
        Assert.NotEqual(listeners.IdentityAt(port), LocalListeners.Read().IdentityAt(port));
        first.Stop();
        Assert.Null(LocalListeners.Read().IdentityAt(port));
    }
}
