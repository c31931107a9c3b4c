using System.IO.Pipelines;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Interfaces.Mcp.Server;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Mcp;

/// <summary>What an agent on standard input gets when its gateway goes away.</summary>
public sealed class StdioForwarderTests : IDisposable
{
    private readonly Pipe _input = new();
    private readonly Pipe _output = new();
    private readonly StreamReader _lines;

    public StdioForwarderTests() => _lines = new StreamReader(_output.Reader.AsStream());

    [Fact]
    public async Task Call_OfAGatewayThatIsAway_IsAFailedCall()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var forwarder = new StdioForwarder(gateway.Client.BaseAddress!, null, _output.Writer.AsStream());
        var running = await BeginAsync(forwarder);
        await gateway.DisposeAsync();
        var away = await RequestAsync("""{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"observe","arguments":{}}}""");
        Assert.Equal("b", away.GetProperty("id").GetString());
        Assert.True(away.GetProperty("result").GetProperty("isError").GetBoolean());
        Assert.Contains("does not answer", away.GetProperty("result").GetProperty("content")[0].GetProperty("text").GetString(), StringComparison.Ordinal);
        Assert.Contains("does not answer", (await RequestAsync("""{"jsonrpc":"2.0","id":3,"method":"tools/list"}""")).GetProperty("error").GetProperty("message").GetString(), StringComparison.Ordinal);
        await _input.Writer.CompleteAsync();
        await running;
    }

    [Fact]
    public async Task Session_OfAGatewayThatHasRestarted_IsBegunAgain()
    {
        var emulator = $"--emulator-port={Clients.FreePort()}";
        var port = Clients.FreePort();
        await using var first = GatewayProcess.Start([], emulator, $"--http-port={port}");
        await first.ListensAsync();
        using var forwarder = new StdioForwarder(new Uri($"http://127.0.0.1:{port}"), null, _output.Writer.AsStream());
        var running = await BeginAsync(forwarder);
        await first.TerminateAsync();
        await using var second = GatewayProcess.Start([], emulator, $"--http-port={port}");
        await second.ListensAsync();
        var listed = await RequestAsync("""{"jsonrpc":"2.0","id":2,"method":"tools/list"}""");
        Assert.True(listed.TryGetProperty("result", out _), listed.GetRawText());
        await _input.Writer.CompleteAsync();
        await running;
    }

    [Fact]
    public async Task Toolsets_AreAskedForAtTheGateway()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var forwarder = new StdioForwarder(gateway.Client.BaseAddress!, null, _output.Writer.AsStream(), "debug");
        var running = await BeginAsync(forwarder);
        var listed = await RequestAsync("""{"jsonrpc":"2.0","id":2,"method":"tools/list"}""");
        Assert.Contains("\"debug_where\"", listed.GetRawText(), StringComparison.Ordinal);
        await _input.Writer.CompleteAsync();
        await running;
    }

    [Fact]
    public async Task Line_ThatIsNoMessage_IsAnErrorWithoutAnId()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var forwarder = new StdioForwarder(gateway.Client.BaseAddress!, null, _output.Writer.AsStream());
        var running = await BeginAsync(forwarder);
        var wrong = await RequestAsync("{");
        Assert.Equal((JsonValueKind.Null, -32700), (wrong.GetProperty("id").ValueKind, wrong.GetProperty("error").GetProperty("code").GetInt32()));
        await _input.Writer.CompleteAsync();
        await running;
    }

    public void Dispose() => _lines.Dispose();

    private async Task<Task> BeginAsync(StdioForwarder forwarder)
    {
        var running = forwarder.RunAsync(_input.Reader.AsStream(), TestContext.Current.CancellationToken);
        var begun = await RequestAsync("""{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test-agent","version":"1.0"}}}""");
        Assert.True(begun.TryGetProperty("result", out _), begun.GetRawText());
        return running;
    }

    private async Task<JsonElement> RequestAsync(string message)
    {
        await _input.Writer.WriteAsync(Encoding.UTF8.GetBytes(message + "\n"), TestContext.Current.CancellationToken);
        return JsonElement.Parse((await _lines.ReadLineAsync(TestContext.Current.CancellationToken))!);
    }
}
