using System.Net;
using System.Net.Sockets;
using System.Text;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http;

/// <summary>Requests as simple programs write them.</summary>
public sealed class PlainRequestTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("GET /healthz HTTP/1.0\r\n\r\n", 200, "ok")]
    [InlineData("GET /v2/game HTTP/1.0\r\n\r\n", 200, "MGBABRIDGE")]
    [InlineData("GET /v2/game HTTP/1.0\r\nOrigin: http://evil.example\r\n\r\n", 403, "http://evil.example")]
    [InlineData("GET /v2/game HTTP/1.0\r\nHost: evil.example\r\n\r\n", 403, "AllowedHosts__0=evil.example")]
    [InlineData("GET /v2/game HTTP/1.0\r\nSec-Fetch-Site: cross-site\r\n\r\n", 403, "another origin")]
    [InlineData("GET //v2/game HTTP/1.0\r\n\r\n", 404, "Write /v2/game.")]
    [InlineData("GET /v2//game HTTP/1.0\r\n\r\n", 404, "Write /v2/game.")]
    [InlineData("GET /v2/states/H\u00F6hle HTTP/1.0\r\n\r\n", 400, "%C3%A9")]
    [InlineData("GET /v2/game HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nbroken header\r\n\r\n", 400, "application/problem+json")]
    [InlineData("GET /v2/game HTTP/1.0\r\nX-Name: H\u00F6hle\r\n\r\n", 200, "MGBABRIDGE")]
    [InlineData("PUT /v2/keys HTTP/1.0\r\nMgba-Holder: H\u00F6hle\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"keys\":[]}", 400, "Mgba-Holder")]
    public async Task Request_OfASimpleProgram_IsAnsweredWithASentence(string request, int status, string expected)
    {
        var play = await shared.PlayAsync();
        var answer = await SendAsync(play.Client, request);
        Assert.StartsWith($"HTTP/1.1 {status} ", answer, StringComparison.Ordinal);
        Assert.Contains(expected, answer, StringComparison.Ordinal);
    }

    /// <summary>Streams, too, of which the headers are all.</summary>
    [Fact]
    public async Task Head_OfEveryPathWithGet_HasTheStatusOfGetAndNoBody()
    {
        var play = await shared.PlayAsync();
        string[] paths =
        [
            .. OperationCatalog.All.Where(operation => operation.Method == "GET" && !operation.Path.Contains('{', StringComparison.Ordinal)).Select(operation => operation.Path),
            "/", "/docs/index.html", "/openapi/v1.json", "/core/getgametitle", "/mgba-http/button/getall", "/i/1/v2/game", "/v2/none",
        ];
        foreach (var path in paths)
        {
            using var get = await play.Client.GetAsync(path, HttpCompletionOption.ResponseHeadersRead, Cancelled);
            using var request = new HttpRequestMessage(HttpMethod.Head, path);
            using var head = await play.Client.SendAsync(request, Cancelled);
            Assert.Equal((path, get.StatusCode, get.Content.Headers.ContentType), (path, head.StatusCode, head.Content.Headers.ContentType));
            Assert.Empty(await head.Content.ReadAsByteArrayAsync(Cancelled));
        }
    }

    [Theory]
    [InlineData("/v2/screen?t=1", HttpStatusCode.OK)]
    [InlineData("/v2/screen?scale=2&_=1732900000", HttpStatusCode.OK)]
    [InlineData("/v2/screen?1732900000", HttpStatusCode.OK)]
    [InlineData("/v2/screen/stream?t=1", HttpStatusCode.OK)]
    [InlineData("/v2/events?topics=frame/1&t=1", HttpStatusCode.OK)]
    [InlineData("/v2/screen?time=1", HttpStatusCode.BadRequest)]
    [InlineData("/v2/game?t=1", HttpStatusCode.BadRequest)]
    public async Task Parameter_AgainstCaches_IsAllowedForPicturesAndStreams(string path, HttpStatusCode expected)
    {
        var play = await shared.PlayAsync();
        using var response = await play.Client.GetAsync(path, HttpCompletionOption.ResponseHeadersRead, Cancelled);
        Assert.Equal(expected, response.StatusCode);
    }

    [Theory]
    [InlineData("\uFEFF{\"keys\":[]}", null, 65001, HttpStatusCode.OK, null)]
    [InlineData("\uFEFF{\"keys\":[]}", null, 1200, HttpStatusCode.BadRequest, "UTF-16")]
    [InlineData("{\"keys\":[]}", null, 1201, HttpStatusCode.BadRequest, "UTF-16")]
    [InlineData("{\"keys\":[]}", "gzip", 65001, HttpStatusCode.UnsupportedMediaType, "gzip")]
    [InlineData("{\"keys\":[]}", "identity", 65001, HttpStatusCode.OK, null)]
    [InlineData("\uFEFF", null, 65001, HttpStatusCode.BadRequest, "")]
    public async Task Body_WithAMarkOrAnEncoding_IsReadOrNamed(string json, string? encoding, int codePage, HttpStatusCode expected, string? detail)
    {
        var play = await shared.PlayAsync();
        using var request = new HttpRequestMessage(HttpMethod.Put, "/v2/keys") { Content = new ByteArrayContent(Encoding.GetEncoding(codePage).GetBytes(json)) };
        if (encoding is not null)
        {
            request.Content.Headers.ContentEncoding.Add(encoding);
        }

        using var response = await play.Client.SendAsync(request, Cancelled);
        Assert.Equal(expected, response.StatusCode);
        Assert.Contains(detail ?? "", await response.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
        Assert.Equal(expected == HttpStatusCode.UnsupportedMediaType, response.Headers.Contains("Accept-Encoding"));
    }

    [Theory]
    [InlineData(65001, HttpStatusCode.OK, "serverInfo")]
    [InlineData(1200, HttpStatusCode.BadRequest, "UTF-16")]
    public async Task Mcp_WithAMark_IsReadOrNamed(int codePage, HttpStatusCode expected, string answer)
    {
        const string Message = "\uFEFF{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}";
        var play = await shared.PlayAsync();
        using var request = new HttpRequestMessage(HttpMethod.Post, "/mcp") { Content = new ByteArrayContent(Encoding.GetEncoding(codePage).GetBytes(Message)) };
        request.Content.Headers.ContentType = new("application/json");
        request.Headers.Accept.ParseAdd("application/json, text/event-stream");
        using var response = await play.Client.SendAsync(request, Cancelled);
        Assert.Equal(expected, response.StatusCode);
        Assert.Contains(answer, await response.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Gateway_ByDefault_ListensOnBothLoopbacks()
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "no IPv6");
        var port = Clients.FreePort();
        await using var gateway = GatewayProcess.Start([], "serve", $"--http-port={port}");
        foreach (var address in new[] { "127.0.0.1", "[::1]", "localhost" })
        {
            using var client = new HttpClient();
            await Eventually.IsAsync(async () =>
            {
                try
                {
                    return await client.GetStringAsync($"http://{address}:{port}/healthz", Cancelled) == "ok";
                }
                catch (HttpRequestException)
                {
                    return false;
                }
            });
        }
    }

    /// <summary>Another program may have the port on ::1 alone.</summary>
    [Fact]
    public void Urls_OfAPortThatAnotherHasOnTheOtherLoopback_AreOne()
    {
        using var other = Loopback.TryBind(0);
        Assert.SkipWhen(other is null, "no IPv6");
        other!.Listen();
        var port = ((IPEndPoint)other.LocalEndPoint!).Port;
        Assert.Equal($"http://127.0.0.1:{port}", Loopback.UrlsOf("127.0.0.1", port));
        other.Dispose();
        Assert.Equal($"http://127.0.0.1:{port};http://[::1]:{port}", Loopback.UrlsOf("127.0.0.1", port));
    }

    private static async Task<string> SendAsync(HttpClient client, string request)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, client.BaseAddress!.Port, Cancelled);
        await socket.SendAsync(Encoding.Latin1.GetBytes(request), Cancelled);
        await using var stream = new NetworkStream(socket);
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return await reader.ReadToEndAsync(Cancelled);
    }
}
