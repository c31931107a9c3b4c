using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Links;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>Connections between machines: bytes pass unchanged, and only between holders of certificates of one authority.</summary>
public sealed class LinkTests : IDisposable
{
    private static readonly SessionCopy Game = new("game", 3);
    private static readonly byte[] Line = "game 3\n"u8.ToArray();

    private readonly LinkFiles _files = new();
    private readonly TcpListener _script = Echo();
    private readonly ManualTime _time = new();

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _script.Dispose();
        _files.Dispose();
    }

    [Fact]
    public async Task Bytes_ThroughALink_AreTheSameInBothDirections()
    {
        using var gateway = _files.Read("gateway", runSessions: false);
        await using var host = Start("host");
        await using var tunnel = host.Tunnel(gateway);
        using var client = await ConnectAsync(tunnel.Port);
        var sent = RandomNumberGenerator.GetBytes(1_000_000);
        var received = new byte[sent.Length];
        var writing = client.GetStream().WriteAsync(sent, Cancelled);
        await client.GetStream().ReadExactlyAsync(received, Cancelled);
        await writing;
        Assert.Equal(sent, received);
    }

    [Fact]
    public async Task EndOfADirection_IsPassedOn_AfterAllBytes()
    {
        using var gateway = _files.Read("gateway", runSessions: false);
        await using var host = Start("host");
        await using var tunnel = host.Tunnel(gateway);
        using var client = await ConnectAsync(tunnel.Port);
        var stream = client.GetStream();
        var sent = RandomNumberGenerator.GetBytes(50_000);
        await stream.WriteAsync(sent, Cancelled);
        client.Client.Shutdown(SocketShutdown.Send); // the echo ends its direction when it has sent everything back
        using var received = new MemoryStream();
        await stream.CopyToAsync(received, Cancelled);
        Assert.Equal(sent, received.ToArray());
    }

    [Fact]
    public async Task Connection_OfAnotherGenerationOrSession_IsClosed()
    {
        using var gateway = _files.Read("gateway", runSessions: false);
        await using var host = Start("host");
        foreach (var copy in new[] { Game with { Generation = 2 }, new SessionCopy("other", 3), new SessionCopy(new string('x', 500), 3) })
        {
            await using var tunnel = new LinkTunnel(gateway, "127.0.0.1", host.Port, copy, NullLogger.Instance);
            Assert.Equal(0, await AnswersAsync(tunnel.Port));
        }

        await using var right = host.Tunnel(gateway);
        Assert.Equal(4, await AnswersAsync(right.Port));
        host.Server.Forget(Game);
        Assert.Equal(0, await AnswersAsync(right.Port));
    }

    [Theory]
    [InlineData("right", true)]
    [InlineData("none", false)]
    [InlineData("other authority", false)]
    [InlineData("expired", false)]
    [InlineData("not valid yet", false)]
    [InlineData("signed by itself", false)]
    [InlineData("for servers only", false)]
    public async Task Gateway_WithACertificate_IsAcceptedOnlyIfItIsOfTheFleet(string kind, bool isAccepted)
    {
        await using var host = Start("host");
        using var certificate = _files.Of(kind);
        using var client = await ConnectAsync(host.Port);
        await using var stream = new SslStream(client.GetStream());
        var count = await ReadAsync(async () =>
        {
            await stream.AuthenticateAsClientAsync(
                new SslClientAuthenticationOptions
                {
                    TargetHost = "host",
                    ClientCertificates = certificate is null ? null : [certificate],
                    LocalCertificateSelectionCallback = certificate is null ? null : (_, _, _, _, _) => certificate, // also one that the server does not ask for
                    ApplicationProtocols = [new SslApplicationProtocol("mgba-bridge-link-1")],
                    RemoteCertificateValidationCallback = static (_, certificate, _, _) => certificate is not null, // any
                },
                Cancelled);
            await stream.WriteAsync((byte[])[.. Line, 1, 2, 3, 4], Cancelled);
            return await stream.ReadAtLeastAsync(new byte[4], 4, throwOnEndOfStream: false, Cancelled);
        });
        Assert.Equal(isAccepted ? 4 : 0, count);
    }

    [Theory]
    [InlineData("right", true)]
    [InlineData("other authority", false)]
    [InlineData("expired", false)]
    [InlineData("signed by itself", false)]
    public async Task Host_WithACertificate_IsSentNothingUnlessItIsOfTheFleet(string kind, bool isTrusted)
    {
        using var gateway = _files.Read("gateway", runSessions: false);
        using var certificate = _files.Of(kind);
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        await using var tunnel = new LinkTunnel(gateway, "127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port, Game, NullLogger.Instance);
        using var client = await ConnectAsync(tunnel.Port);
        using var accepted = await listener.AcceptTcpClientAsync(Cancelled);
        await using var stream = new SslStream(accepted.GetStream());
        var received = new byte[Line.Length];
        var count = await ReadAsync(async () =>
        {
            await stream.AuthenticateAsServerAsync(
                new SslServerAuthenticationOptions
                {
                    ServerCertificate = certificate,
                    ClientCertificateRequired = true,
                    ApplicationProtocols = [new SslApplicationProtocol("mgba-bridge-link-1")],
                    RemoteCertificateValidationCallback = static (_, certificate, _, _) => certificate is not null, // any
                },
                Cancelled);
            return await stream.ReadAtLeastAsync(received, received.Length, throwOnEndOfStream: false, Cancelled);
        });
        Assert.Equal(isTrusted ? Line.Length : 0, count);
        Assert.Equal(isTrusted ? "game 3\n" : "\0\0\0\0\0\0\0", Encoding.ASCII.GetString(received));
    }

    [Fact]
    public async Task Connection_ThatSpeaksSomethingElse_IsClosed()
    {
        await using var host = Start("host");
        using var client = await ConnectAsync(host.Port);
        Assert.Equal(0, await ReadAsync(async () =>
        {
            await client.GetStream().WriteAsync("GET / HTTP/1.1\r\nHost: host\r\n\r\n"u8.ToArray(), Cancelled);
            var received = 0; // a TLS alert may precede the end
            for (int count; (count = await client.GetStream().ReadAsync(new byte[100], Cancelled)) > 0;)
            {
                received += count > 7 ? count : 0;
            }

            return received;
        }));
    }

    [Fact]
    public async Task Connections_ThatSendNothing_EndAfterATimeAndDoNotKeepOthersOut()
    {
        using var gateway = _files.Read("gateway", runSessions: false);
        await using var host = Start("host");
        var silent = new List<TcpClient>();
        for (var number = 0; number < LinkServer.MaxUnproved; number++)
        {
            silent.Add(await ConnectAsync(host.Port));
        }

        await Eventually.Is(() => _time.Timers == LinkServer.MaxUnproved);
        await using var tunnel = host.Tunnel(gateway);
        Assert.Equal(0, await AnswersAsync(tunnel.Port)); // all of them are from the same address
        _time.Advance(LinkServer.OpenTimeout);
        foreach (var client in silent)
        {
            Assert.Equal(0, await ReadAsync(async () => await client.GetStream().ReadAsync(new byte[1], Cancelled)));
            client.Dispose();
        }

        await Eventually.IsAsync(async () => await AnswersAsync(tunnel.Port) == 4);
    }

    [Fact]
    public async Task Handshake_ThatStops_EndsAfterATime()
    {
        await using var host = Start("host");
        using var client = await ConnectAsync(host.Port);
        await client.GetStream().WriteAsync((byte[])[0x16, 0x03, 0x01, 0x01, 0x00, 0x01], Cancelled); // the beginning of a ClientHello of 256 bytes
        await Eventually.Is(() => _time.Timers == 1);
        _time.Advance(LinkServer.OpenTimeout);
        Assert.Equal(0, await ReadAsync(async () => await client.GetStream().ReadAsync(new byte[1], Cancelled)));
    }

    [Fact]
    public void Limit_InAllAndOfEachAddress_RefusesThoseBeyond()
    {
        var limit = new LinkLimit(3, 2);
        IPAddress one = IPAddress.Parse("10.0.0.1"), other = IPAddress.Parse("10.0.0.2");
        Assert.True(limit.TryEnter(one));
        Assert.True(limit.TryEnter(one));
        Assert.False(limit.TryEnter(one));
        Assert.True(limit.TryEnter(other));
        Assert.False(limit.TryEnter(other));
        limit.Leave(one);
        Assert.True(limit.TryEnter(other));
    }

    [Fact]
    public async Task Start_OnAPortInUse_NamesTheSettings()
    {
        await using var host = Start("host");
        using var certificates = _files.Read("other", runSessions: true);
        await using var server = new LinkServer(certificates, _time, NullLogger.Instance);
        Assert.Contains("Bridge:Fleet:ListenAddress", Assert.Throws<FleetLinkException>(() => server.Start(IPAddress.Loopback, host.Port)).Message, StringComparison.Ordinal);
        Assert.InRange(server.Start(IPAddress.Loopback, host.Port, NodeLinks.PortsOfJobs), host.Port + 1, host.Port + NodeLinks.PortsOfJobs - 1); // another job of this machine
    }

    [Fact]
    public void Read_OfWhatCannotBeUsed_NamesTheSetting()
    {
        Assert.Null(LinkCertificates.Read(new FleetOptions()));
        var right = _files.Options("right", runSessions: false);
        using (LinkCertificates.Read(right))
        {
            // so the others fail for their own reasons
        }

        var empty = _files.Write("empty", "");
        foreach (var (options, expected) in new[]
        {
            (right with { Certificate = "/nonexistent.pem" }, "Bridge:Fleet:Certificate cannot be used"),
            (right with { CertificateKey = null }, "Bridge:Fleet:Certificate cannot be used"),
            (right with { CertificateAuthority = empty }, "Bridge:Fleet:CertificateAuthority cannot be used: it contains no certificate"),
            (right with { CertificateAuthority = _files.Options("other authority", false).Certificate }, "would be refused"),
            (_files.Options("expired", runSessions: true), "would be refused"),
            (_files.Options("for servers only", runSessions: false), "would be refused"),
        })
        {
            Assert.Contains(expected, Assert.Throws<FleetLinkException>(() => LinkCertificates.Read(options)).Message, StringComparison.Ordinal);
        }

        LinkCertificates.Read(_files.Options("for servers only", runSessions: true))!.Dispose();
    }

    private static async Task<TcpClient> ConnectAsync(int port)
    {
        var client = new TcpClient { NoDelay = true };
        await client.ConnectAsync(IPAddress.Loopback, port, Cancelled);
        return client;
    }

    /// <summary>How many of four bytes are returned; 0 when the connection is closed instead.</summary>
    private static async Task<int> AnswersAsync(int port)
    {
        using var client = await ConnectAsync(port);
        return await ReadAsync(async () =>
        {
            await client.GetStream().WriteAsync(new byte[4], Cancelled);
            return await client.GetStream().ReadAtLeastAsync(new byte[4], 4, throwOnEndOfStream: false, Cancelled);
        });
    }

    private static async Task<int> ReadAsync(Func<Task<int>> read)
    {
        try
        {
            return await read();
        }
        catch (Exception exception) when (exception is IOException or AuthenticationException)
        {
            return 0;
        }
    }

    private static TcpListener Echo()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _ = Task.Run(async () =>
        {
            while (true)
            {
                var accepted = await listener.AcceptTcpClientAsync(Cancelled);
                _ = Task.Run(async () =>
                {
                    using (accepted)
                    {
                        await accepted.GetStream().CopyToAsync(accepted.GetStream(), Cancelled);
                    }
                });
            }
        });
        return listener;
    }

    private Host Start(string name) => new(_files.Read(name, runSessions: true), _time, ((IPEndPoint)_script.LocalEndpoint).Port);

    private sealed class Host : IAsyncDisposable
    {
        private readonly LinkCertificates _certificates;

        public Host(LinkCertificates certificates, TimeProvider time, int scriptPort)
        {
            _certificates = certificates;
            Server = new LinkServer(certificates, time, NullLogger.Instance);
            Port = Server.Start(IPAddress.Loopback, 0);
            Server.Serve(Game, scriptPort);
        }

        public LinkServer Server { get; }

        public int Port { get; }

        public LinkTunnel Tunnel(LinkCertificates gateway) => new(gateway, "127.0.0.1", Port, Game, NullLogger.Instance);

        public async ValueTask DisposeAsync()
        {
            await Server.DisposeAsync();
            _certificates.Dispose();
        }
    }
}
