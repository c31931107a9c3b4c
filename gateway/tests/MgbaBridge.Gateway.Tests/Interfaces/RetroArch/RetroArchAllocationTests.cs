using MgbaBridge.FakeEmulator;
using System.Net;
using System.Net.Sockets;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.RetroArch;

[Collection(nameof(Alone))]
public sealed class RetroArchAllocationTests
{
    private const int Turns = 5_000;

    [Fact]
    public async Task Datagram_OnceWarm_AllocatesNothing()
    {
        var settings = RetroArchClient.Settings();
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, settings);
        using var first = await RetroArchClient.ConnectAsync(settings);

        // waiting on a socket that was used asynchronously allocates
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        client.Connect(IPAddress.Loopback, int.Parse(settings[1].Value));
        Exchange(client);

        // the runtime's own threads allocate now and then, so the least of a few rounds counts
        var least = long.MaxValue;
        for (var round = 0; round < 8; round++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            await Task.Run(() => Exchange(client), TestContext.Current.CancellationToken);
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        Assert.InRange(least / (double)Turns, 0, 1);
    }

    private static void Exchange(Socket client)
    {
        Span<byte> answer = stackalloc byte[64];
        for (var turn = 0; turn < Turns; turn++)
        {
            client.Send("NOSUCH\nVERSION\n"u8);
            if (client.Receive(answer) != "1.14.0\n".Length)
            {
                throw new InvalidOperationException("The answer is another.");
            }
        }
    }
}
