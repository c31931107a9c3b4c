using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Emulator;

/// <summary>The client as programs without a gateway use it. The suite dist plays a game with its package.</summary>
public sealed class EmulatorClientTests
{
    [Fact]
    public async Task Connect_WithPortAndSecret_ReadsTheGame()
    {
        const string Secret = "0123456789abcdef";
        await using var emulator = await HeadlessEmulator.StartAsync(secret: Secret);
        await using var client = EmulatorClient.Connect(emulator.Port, secret: Secret);
        using var reply = (await client.SendAsync(new ReadGame(), cancellationToken: TestContext.Current.CancellationToken)).EnsureSuccess();
        Assert.Equal("MGBABRIDGE", ReadGame.Parse(reply).Title);
    }

    [Fact]
    public async Task EnsureSuccess_OfAFailure_ThrowsItsReport()
    {
        await using var client = EmulatorClient.Connect(Clients.FreePort());
        var reply = await client.SendAsync(new ReadGame(), cancellationToken: TestContext.Current.CancellationToken);
        var exception = Assert.Throws<RequestFailedException>(() => reply.EnsureSuccess());
        Assert.Equal(CommandFailureKind.ConnectFailed, exception.Failure.Kind);
        Assert.Equal(exception.Failure.Detail, exception.Message);
    }

    [Theory]
    [InlineData(0, "host")]
    [InlineData(65_536, "host")]
    [InlineData(8_888, " ")]
    public void Connect_WithAWrongAddress_SaysSo(int port, string host) => Assert.ThrowsAny<ArgumentException>(() => EmulatorClient.Connect(port, host));

    [Fact]
    public void KeySet_ParsedFromOtherWords_NamesTheKeys()
    {
        Assert.Equal("B+Up", KeySet.Parse("up + B").ToString());
        Assert.Contains("Select", Assert.Throws<FormatException>(() => KeySet.Parse("C")).Message, StringComparison.Ordinal);
    }
}
