using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

/// <summary>Verbs where another HTTP server, or a gateway of another version, answers.</summary>
public sealed class OtherServerTests : IDisposable
{
    private const string Html = "text/html; charset=utf-8";
    private const string Json = "application/json";
    private const string Events = "text/event-stream";

    private readonly string _file = Path.Combine(Path.GetTempPath(), $"mgba-bridge-{Guid.NewGuid():N}");

    public void Dispose() => File.Delete(_file);

    [Theory]
    [InlineData("the response is not JSON", 200, Html, "<html></html>", "status")]
    [InlineData("the response to /v2/status is not an object", 200, Json, "[]", "status")]
    [InlineData("the response is neither an object with properties nor a list", 200, Json, "{}", "status")]
    [InlineData("the response is neither an object with properties nor a list", 200, Json, "null", "tap", "A")]
    [InlineData("the response to /v2/emulators is not a list of objects", 200, Json, "{\"a\":1}", "emulators")]
    [InlineData("the response to /v2/emulators is not a list of objects", 200, Json, "[1]", "emulators")]
    [InlineData("the response to /v2/fleet/hosts has no list \"hosts\"", 200, Json, "{\"a\":1}", "fleet", "status")]
    [InlineData("the response is text/html, not application/json", 200, Html, "{}", "tap", "A")]
    [InlineData("the response is of no type, not application/json", 200, null, "{}", "tap", "A")]
    [InlineData("the response is text/html, not application/octet-stream", 200, Html, "<html></html>", "read", "0x02000000", "--length", "4")]
    [InlineData("the response is text/html, not image/png or application/octet-stream", 200, Html, "<html></html>", "screenshot", "FILE")]
    [InlineData("the response is text/html, not application/octet-stream", 200, Html, "<html></html>", "state", "get", "FILE")]
    [InlineData("the response is text/html, not text/event-stream", 200, Html, "<html></html>", "watch", "game")]
    [InlineData("an event is not a JSON object", 200, Events, "event: game\ndata: [1]\n\n", "watch", "game")]
    [InlineData("an event is not a JSON object", 200, Events, "event: game\ndata: {\n\n", "watch", "game")]
    [InlineData("it answered with status 404 and no explanation", 404, Html, "<html></html>", "status")]
    [InlineData("it answered with status 500 and no explanation", 500, Json, "{\"detail\":5}", "status")]
    public async Task Verb_WhereAnotherServerAnswers_SaysHowToNameTheGateway(string reason, int status, string? type, string body, params string[] verb)
    {
        using var server = new FixedServer($"HTTP/1.1 {status} Name\r\n{(type is null ? "" : $"Content-Type: {type}\r\n")}Content-Length: {body.Length}\r\n\r\n{body}");
        var run = await VerbRun.OfAsync([.. verb.Select(word => word == "FILE" ? _file : word), "--url", server.Url]);
        Assert.Equal($"What answers at {server.Url} is not an mGBA-bridge gateway of this version: {reason}. Set --url or MGBA_BRIDGE_URL to the gateway.", run.Error.Trim());
        Assert.Equal((ExitCodes.NotReachable, ""), (run.ExitCode, run.Output));
        Assert.False(File.Exists(_file));
    }

    [Fact]
    public async Task Gateway_ThatDoesNotKnowThePathOfAVerb_HasAnotherVersion()
    {
        const string Body = """{"type":"urn:mgba-bridge:problem:no-such-path","detail":"There is no path /v2/keys/tap."}""";
        using var server = new FixedServer($"HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\nContent-Length: {Body.Length}\r\n\r\n{Body}");
        var run = await VerbRun.OfAsync("tap", "A", "--url", server.Url);
        Assert.StartsWith("There is no path /v2/keys/tap. The gateway has another version than this program, ", run.Error, StringComparison.Ordinal);
        Assert.Equal((ExitCodes.Refused, ""), (run.ExitCode, run.Output));
    }

    [Fact]
    public async Task Response_OfMoreThan256MiB_IsRefused()
    {
        using var server = new FixedServer($"HTTP/1.1 200 OK\r\nContent-Type: {Json}\r\nContent-Length: {(256 * 1024 * 1024) + 1}\r\n\r\n");
        var run = await VerbRun.OfAsync("tap", "A", "--url", server.Url);
        Assert.Contains("the response has more than 268435456 bytes", run.Error, StringComparison.Ordinal);
        Assert.Equal(ExitCodes.NotReachable, run.ExitCode);
    }

    [Theory]
    [InlineData("{\"paused\":true}", "agents", "change", "1", "true")]
    [InlineData("{\"paused\":false}", "agents", "change", "1", "FALSE")]
    [InlineData("{\"paused\":true}", "agents", "change", "1", "--paused")]
    [InlineData("// a map\n{}", "properties", "load", "FILE")]
    public async Task Body_OfAVerb_IsSent(string body, params string[] verb)
    {
        await File.WriteAllTextAsync(_file, body, TestContext.Current.CancellationToken);
        using var server = new FixedServer($"HTTP/1.1 200 OK\r\nContent-Type: {Json}\r\nContent-Length: 7\r\n\r\n{{\"a\":1}}");
        await VerbRun.TextAsync([.. verb.Select(word => word == "FILE" ? _file : word), "--url", server.Url]);
        Assert.EndsWith($"\r\n\r\n{body}", await server.Request, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stream_WhoseTypeHasAParameter_IsSaved()
    {
        using var server = new FixedServer("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=mgba-bridge-picture\r\nContent-Length: 7\r\n\r\npicture");
        await VerbRun.TextAsync("screen", "stream", "--out", _file, "--url", server.Url);
        Assert.Equal("picture", await File.ReadAllTextAsync(_file, TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task TextOfAnOperation_AsJson_IsAString()
    {
        using var server = new FixedServer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\na 1\n");
        Assert.Equal("\"a 1\\n\"", (await VerbRun.TextAsync("metrics", "--json", "--url", server.Url)).Trim());
    }
}
