using System.Net;
using System.Net.Sockets;
using System.Text;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Emulator;

[Collection(nameof(Alone))]
public sealed class AllocationTests
{
    private const int Turns = 5_000;

    [Fact]
    public async Task Exchange_OnceWarm_AllocatesNothing()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var peer = new Thread(() => Serve(listener)) { IsBackground = true };
        peer.Start();
        await using var client = Clients.To(((IPEndPoint)listener.LocalEndpoint).Port, Clients.Patient with { MinConnections = 1, MaxConnections = 1 });
        await RequestAsync(client, Turns);

        Assert.InRange(await LeastAsync(() => RequestAsync(client, Turns)) / Turns, 0, 1);
    }

    [Fact]
    public async Task HttpRead_OnceWarm_AllocatesLessThanAKilobyte()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port);
        using var client = new Socket(SocketType.Stream, ProtocolType.Tcp);
        client.Connect(IPAddress.Loopback, gateway.Client.BaseAddress!.Port);
        Read(client, Turns);
        Assert.InRange(await LeastAsync(() => Task.Run(() => Read(client, Turns))) / Turns, 0, 1_024);
    }

    private static void Read(Socket client, int turns)
    {
        Span<byte> answer = stackalloc byte[1_024];
        for (var turn = 0; turn < turns; turn++)
        {
            client.Send("GET /v2/memory/0x02000008/u32 HTTP/1.1\r\nHost: localhost\r\n\r\n"u8);
            var count = client.Receive(answer);
            if (!answer.StartsWith("HTTP/1.1 200 "u8) || answer[count - 1] != '}')
            {
                throw new InvalidOperationException(Encoding.ASCII.GetString(answer[..count]));
            }
        }
    }

    /// <summary>The bytes that it allocates. The runtime's own threads allocate now and then, so the least of a few rounds counts.</summary>
    private static async Task<double> LeastAsync(Func<Task> run)
    {
        var least = long.MaxValue;
        for (var round = 0; round < 8; round++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            await Task.Run(run, TestContext.Current.CancellationToken);
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        return least;
    }

    private static async Task RequestAsync(EmulatorClient client, int turns)
    {
        for (var turn = 0; turn < turns; turn++)
        {
            using var reply = await client.SendAsync(Clients.ReadByte(turn));
            if (reply.Failure is not null)
            {
                throw new InvalidOperationException(reply.Failure.Detail);
            }
        }
    }

    /// <summary>A peer that allocates nothing itself: one client. A heartbeat may arrive together with a request.</summary>
    private static void Serve(TcpListener listener)
    {
        using var socket = listener.AcceptSocket();
        try
        {
            Serve(socket);
        }
        catch (SocketException)
        {
            // the client is done
        }
    }

    private static void Serve(Socket socket)
    {
        var received = new byte[4_096];
        var answer = new byte[4_096];
        var hello = Encoding.ASCII.GetBytes($" 1 0000000a ok protocol=3 script=\"{EmbeddedScript.Version}\" resumed=false<|END|>");
        for (int count; (count = socket.Receive(received)) > 0;)
        {
            var length = 0;
            var rest = received.AsSpan(0, count);
            for (int end; (end = rest.IndexOf("<|END|>"u8)) >= 0; rest = rest[(end + "<|END|>"u8.Length)..])
            {
                var message = rest[..end].TrimStart("\r\n"u8);
                var text = message.IndexOf("hello"u8) >= 0 ? hello : " 2 0000000a ok 5<|END|>"u8;
                var id = message[..message.IndexOf((byte)' ')];
                id.CopyTo(answer.AsSpan(length));
                text.CopyTo(answer.AsSpan(length + id.Length));
                length += id.Length + text.Length;
            }

            socket.Send(answer.AsSpan(0, length));
        }
    }
}
