using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

/// <summary>Requests of verbs, and responses that a gateway, or another program on its port, may send.</summary>
public sealed class GatewayClientTests
{
    [Theory]
    [InlineData("SSH-2.0-OpenSSH_9.2\r\n")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n[1,")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n")]
    [InlineData("")]
    public async Task Verb_WhoseResponseIsNotHttpOrEndsEarly_SaysThatNoGatewayIsReachable(string response)
    {
        using var server = new FixedServer(response);
        var run = await VerbRun.OfAsync("status", "--url", server.Url);
        Assert.Equal((ExitCodes.NotReachable, ""), (run.ExitCode, run.Output));
        Assert.StartsWith($"No gateway is reachable at {server.Url}: ", run.Error, StringComparison.Ordinal);
        Assert.Single(run.Error.Trim().Split('\n'));
    }

    [Fact]
    public async Task Headers_OfMoreThan64KiB_AreRefused()
    {
        using var server = new FixedServer($"HTTP/1.1 200 OK\r\nX: {new string('x', 66_000)}\r\n\r\n");
        var run = await VerbRun.OfAsync("status", "--url", server.Url);
        Assert.Equal((ExitCodes.NotReachable, ""), (run.ExitCode, run.Output));
        Assert.StartsWith($"No gateway is reachable at {server.Url}: ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Request_OfAVerb_HasItsHeadersAndItsBody()
    {
        using var server = new FixedServer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{\"down\":1}");
        await VerbRun.TextAsync("tap", "A", "--holder", "bot", "--token", "secret", "--url", server.Url, "--emulator", "a b");
        Assert.Equal(
            $"POST /i/a%20b/v2/keys/tap HTTP/1.1|Host: {new Uri(server.Url).Authority}|Authorization: Bearer secret|Mgba-Holder: bot|Accept: application/json"
            + "|Content-Type: application/json; charset=utf-8|Content-Length: 12||{\"keys\":\"A\"}",
            (await server.Request).Replace("\r\n", "|", StringComparison.Ordinal));
    }
}
