using System.IO.Pipelines;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Mcp.Server;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Mcp;

/// <summary>What an agent on standard input gets when its gateway goes away.</summary>
public sealed class StdioForwarderTests
{
    [Fact]
    public async Task Call_OfAGatewayThatIsAway_IsAFailedCall()
    {
        var (input, output) = (new Pipe(), new Pipe());
        var running = Task.CompletedTask;
        using var lines = new StreamReader(output.Reader.AsStream());
        using var forwarder = await ForwarderAsync();
        var away = await AskAsync("""{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"observe","arguments":{}}}""");
        Assert.Equal("b", away.GetProperty("id").GetString());
        Assert.True(away.GetProperty("result").GetProperty("isError").GetBoolean());
        Assert.Contains("does not answer", away.GetProperty("result").GetProperty("content")[0].GetProperty("text").GetString(), StringComparison.Ordinal);
        Assert.Contains("does not answer", (await AskAsync("""{"jsonrpc":"2.0","id":3,"method":"tools/list"}""")).GetProperty("error").GetProperty("message").GetString(), StringComparison.Ordinal);
        await input.Writer.CompleteAsync();
        await running;

        async Task<StdioForwarder> ForwarderAsync()
        {
            await using var gateway = GatewayHost.Start(Clients.FreePort());
            var forwarder = new StdioForwarder(gateway.Client.BaseAddress!, null, output.Writer.AsStream());
            running = forwarder.RunAsync(input.Reader.AsStream(), TestContext.Current.CancellationToken);
            var begun = await AskAsync("""{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test-agent","version":"1.0"}}}""");
            Assert.True(begun.TryGetProperty("result", out _), begun.GetRawText());
            return forwarder;
        }

        async Task<JsonElement> AskAsync(string message)
        {
            await input.Writer.WriteAsync(Encoding.UTF8.GetBytes(message + "\n"), TestContext.Current.CancellationToken);
            return JsonElement.Parse((await lines.ReadLineAsync(TestContext.Current.CancellationToken))!);
        }
    }
}
