using System.Net;
using System.Net.Sockets;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Transport;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class OtherProgramsTests
{
    [Fact]
    public void Script_ThatTakesThePortOfAnotherProgram_IsGreeted()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells one listener from another.");
        var others = new OtherPrograms(TimeProvider.System);
        var address = new EmulatorAddress { Port = Clients.FreePort() };
        var port = address.Port.Value;
        var failure = new CommandFailure(CommandFailureKind.NotOurs, "another program");
        using var program = new TcpListener(IPAddress.Loopback, port);
        program.Start();
        var attempt = others.Begin();
        Assert.Null(attempt.Known(address, port));
        program.Stop();
        using var script = new TcpListener(IPAddress.Loopback, port);
        script.Start(); // before the attempt ends
        attempt.Greeted(address, port, failure);
        Assert.Null(others.Begin().Known(address, port));

        attempt = others.Begin();
        Assert.Null(attempt.Known(address, port));
        attempt.Greeted(address, port, failure);
        Assert.Same(failure, others.Begin().Known(address, port));
    }
}
