using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Transport;

public sealed class HandshakeTests
{
    private const string Secret = "open sesame, please";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Secret_ThatIsRight_OpensTheDoor()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Secret = Secret });
        await using var client = Clients.To(fake.Port, secret: Secret);
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Null(reply.Failure);
        Assert.DoesNotContain(fake.Requests, request => request.Arguments.Contains("sesame", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(null, "auth-required")]
    [InlineData("wrong, and long enough", "auth-failed")]
    public async Task Secret_MissingOrWrong_SaysWhichSettingToChange(string? secret, string code)
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Secret = Secret });
        await using var client = Clients.To(fake.Port, secret: secret);
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Equal((CommandFailureKind.Rejected, code, 502), (reply.Failure!.Kind, reply.Failure.CodeName, reply.Failure.Status));
        Assert.Contains("Secret", reply.Failure.Detail, StringComparison.Ordinal);
        await Eventually.Is(() => client.Health.State == EmulatorState.Refused);
    }

    [Fact]
    public async Task Secret_OfARealScript_IsProvedByBothSides()
    {
        await using var emulator = await HeadlessEmulator.StartAsync(secret: Secret);
        await using var client = Clients.To(emulator.Port, secret: Secret);
        using var reply = await client.SendAsync(Clients.ReadByte(0x02000000), default, Cancelled);
        Assert.Null(reply.Failure);
        await using var other = Clients.To(emulator.Port, secret: Secret + ".");
        using var refused = await other.SendAsync(Clients.ReadByte(0x02000000), default, Cancelled);
        Assert.Equal("auth-failed", refused.Failure?.CodeName);
        await using var none = Clients.To(emulator.Port);
        using var required = await none.SendAsync(Clients.ReadByte(0x02000000), default, Cancelled);
        Assert.Equal("auth-required", required.Failure?.CodeName);
    }

    [Fact]
    public async Task Script_WithoutSecret_IsRefusedByAGatewayThatHasOne()
    {
        await using var fake = FakeScript.Start();
        await using var client = Clients.To(fake.Port, secret: Secret);
        var failure = await RefusalAsync(fake, client);
        Assert.Equal((CommandFailureKind.Rejected, "auth-missing", 502), (failure.Kind, failure.CodeName, failure.Status));
        Assert.Contains("started without MGBA_BRIDGE_SECRET", failure.Detail, StringComparison.Ordinal);
        await Eventually.Is(() => client.Health.State == EmulatorState.Refused);
    }

    [Theory]
    [InlineData("reflected")]
    [InlineData("none")]
    [InlineData("zeros")]
    [InlineData("shortened")]
    public async Task Script_ThatDoesNotProveTheSecret_IsSentNothing(string how)
    {
        Func<string, string> ownProof = clients => how switch
        {
            "reflected" => clients,
            "none" => "",
            "zeros" => new string('0', clients.Length),
            _ => clients[..^1],
        };
        await using var fake = FakeScript.Start(new FakeBehaviour { Secret = Secret, OwnProof = ownProof });
        await using var client = Clients.To(fake.Port, secret: Secret);
        var failure = await RefusalAsync(fake, client);
        Assert.Equal((CommandFailureKind.Rejected, "auth-mismatch", 502), (failure.Kind, failure.CodeName, failure.Status));
        Assert.Contains("did not prove", failure.Detail, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("error bad-argument \"hello has no argument challenge=\"", "Update mgba-bridge.lua")]
    [InlineData("error version \"update the client (the gateway)\"", "update the client (the gateway)")]
    public async Task Secret_BetweenDifferentVersions_SaysWhichSideToUpdate(string error, string sentence)
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { RefuseHello = error });
        await using var client = Clients.To(fake.Port, secret: Secret);
        var failure = await RefusalAsync(fake, client);
        Assert.Equal(CommandFailureKind.WrongVersion, failure.Kind);
        Assert.Contains(sentence, failure.Detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nonce_OfAnotherEmulator_IsNotOurs()
    {
        await using var fake = FakeScript.Start();
        await using var client = Clients.To(fake.Port, nonce: "mine");
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Equal(CommandFailureKind.NotOurs, reply.Failure?.Kind);
        await Eventually.Is(() => client.Health.State == EmulatorState.OtherProgram);
    }

    [Fact]
    public async Task Script_WithTooManyConnections_IsNotTakenForMissing()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { InsteadOfHello = "#0 1 0000000a error too-many-connections \"600 connections are open\"<|END|>"u8.ToArray() });
        await using var client = Clients.To(fake);
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Equal((CommandFailureKind.Rejected, "too-many-connections", 503), (reply.Failure!.Kind, reply.Failure.CodeName, reply.Failure.Status));
        Assert.Contains("600 connections are open. Close other clients", reply.Failure.Detail, StringComparison.Ordinal);
        await Eventually.Is(() => client.Health.State == EmulatorState.Refused);
        fake.Behaviour = new FakeBehaviour();
        await Eventually.Is(() => client.Health.State == EmulatorState.Ready);
    }

    [Theory]
    [InlineData("<|ERROR|><|END|>", CommandFailureKind.NotOurs)]
    [InlineData("<html>", CommandFailureKind.NotOurs)]
    [InlineData("SSH-2.0-OpenSSH_9.2\r\n", CommandFailureKind.NotOurs)]
    [InlineData("\0\0\0\0", CommandFailureKind.NotOurs)]
    public async Task OtherProgram_OnThePort_IsReported(string says, CommandFailureKind failure)
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { InsteadOfHello = System.Text.Encoding.ASCII.GetBytes(says) });
        await using var client = Clients.To(fake);
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.Equal(failure, reply.Failure?.Kind);
    }

    /// <summary>Several attempts fail meanwhile; the script that takes the port over is found at once.</summary>
    [Fact]
    public async Task OtherProgram_IsGreetedOnce()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells one listener from another.");
        var other = FakeScript.Start(new FakeBehaviour { InsteadOfHello = "HTTP/1.1 400 Bad Request\r\n\r\n"u8.ToArray() });
        await using var client = Clients.To(other);
        for (var attempt = 0; attempt < 5; attempt++)
        {
            client.ConnectNow();
            using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
            Assert.Equal(CommandFailureKind.NotOurs, reply.Failure?.Kind);
        }

        Assert.Equal(1, other.Accepted);
        await other.DisposeAsync();
        await using var script = FakeScript.StartOn(other.Port);
        await Eventually.Is(() => client.Health.State == EmulatorState.Ready);
    }

    [Fact]
    public async Task Name_ThatDoesNotResolve_IsAFailureToConnect()
    {
        await using var client = new EmulatorClient(
            "1", new EmulatorAddress { Host = "no-such-host.invalid", Port = 1 }, new(new()), TimeProvider.System, System.Buffers.MemoryPool<byte>.Shared, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);
        using var reply = await client.SendAsync(Clients.ReadByte(0), new RequestOptions { Timeout = TimeSpan.FromSeconds(30) }, Cancelled);
        Assert.Contains(reply.Failure!.Kind, new[] { CommandFailureKind.ConnectFailed, CommandFailureKind.ConnectTimedOut });
    }

    /// <summary>The failure of a request to a script that is refused; nothing but hello was sent to it.</summary>
    private static async Task<CommandFailure> RefusalAsync(FakeScript fake, EmulatorClient client)
    {
        using var reply = await client.SendAsync(Clients.ReadByte(0), default, Cancelled);
        Assert.All(fake.Requests, request => Assert.Equal("hello", request.Command));
        return reply.Failure!;
    }

    [Fact]
    public async Task Connections_AreOpen_BeforeTheFirstRequest()
    {
        await using var fake = FakeScript.Start();
        await using var client = await Clients.ReadyAsync(fake);
        Assert.Equal(2, fake.Connected);
        Assert.Equal("FAKE", client.Health.Hello?.Title);
    }
}
