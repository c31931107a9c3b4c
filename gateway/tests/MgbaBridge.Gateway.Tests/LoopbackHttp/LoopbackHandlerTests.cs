using System.Net;
using System.Net.Sockets;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.LoopbackHttp;
using MgbaBridge.Gateway.Tests.CommandLine;

namespace MgbaBridge.Gateway.Tests.LoopbackHttp;

/// <summary>Responses that a gateway, or another program on its port, may send to a verb.</summary>
public sealed class LoopbackHandlerTests
{
    private static readonly TimeSpan Soon = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n[1,2]ignored")]
    [InlineData("HTTP/1.1 200 OK\r\ncontent-type:application/json\r\n\r\n[1,2]")]
    [InlineData("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 5\n\n[1,2]")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;name=value\r\n[1\r\n03\r\n,2]\r\n0\r\nTrailer: 1\r\n\r\n")]
    public async Task Response_InAnyForm_IsRead(string response)
    {
        var (status, type, body) = await AnswerAsync(response);
        Assert.Equal((200, "application/json", "[1,2]"), (status, type, body));
        Assert.Equal((200, "application/json", "[1,2]"), await AnswerAsync([.. response.Select(letter => letter.ToString())]));
    }

    [Theory]
    [InlineData("HTTP/1.1 204 No Content\r\n\r\n", 204)]
    [InlineData("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 404)]
    public async Task Response_WithoutABody_IsEmpty(string response, int expected)
    {
        var (status, _, body) = await AnswerAsync(response);
        Assert.Equal((expected, ""), (status, body));
    }

    [Theory]
    [InlineData("SSH-2.0-OpenSSH_9.2\r\n", "the response is not HTTP: it starts with \"SSH-2.0-OpenSSH_9.2\"")]
    [InlineData("HTTP/1.1 abc\r\n\r\n", "it starts with \"HTTP/1.1 abc\"")]
    [InlineData("HTTP/1.1 200 OK\r\nno header\r\n\r\n", "\"no header\" is not a header")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "its length is \"-1\"")]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "its encoding is \"gzip\"")]
    [InlineData("", "the connection ended before the response did")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Le", "the connection ended before the response did")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[1,", "the connection ended before the response did")]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1", "the connection ended before the response did")]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "the length of a chunk of the response is \"xyz\"")]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", "the length of a chunk")]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", "a chunk of the response is longer than it says")]
    public async Task Response_ThatIsWrong_IsRefused(string response, string expected)
    {
        var exception = await Assert.ThrowsAnyAsync<Exception>(() => AnswerAsync(response));
        Assert.True(exception is HttpRequestException or IOException, exception.ToString());
        Assert.Contains(expected, $"{exception.Message} {exception.InnerException?.Message}", StringComparison.Ordinal);
    }

    [Fact]
    public async Task Headers_OfMoreThan64KiB_AreRefused()
    {
        var exception = await Assert.ThrowsAsync<HttpRequestException>(() => AnswerAsync($"HTTP/1.1 200 OK\r\nX: {new string('x', 65_536)}\r\n\r\n"));
        Assert.Contains("its headers have more than 65536 bytes", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Verb_WhereAnotherProgramAnswers_SaysSoInOneSentence()
    {
        using var server = new FixedServer("SSH-2.0-OpenSSH_9.2\r\n");
        var run = await VerbRun.OfAsync("status", "--url", server.Url);
        Assert.Equal((ExitCodes.NotReachable, ""), (run.ExitCode, run.Output));
        Assert.Contains($"No gateway is reachable at {server.Url}: the response is not HTTP: it starts with \"SSH-2.0-OpenSSH_9.2\".", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Program_ThatNeverAnswers_IsGivenUp()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0); // the system accepts connections
        silent.Start();
        var exception = await Assert.ThrowsAsync<IOException>(() => SendAsync(new Uri($"http://{silent.LocalEndpoint}"), Soon, Soon));
        Assert.Equal("the program that listens there does not answer within 0.01 s", exception.Message);
    }

    [Fact]
    public async Task Program_ThatAcceptsNoMoreConnections_IsGivenUp()
    {
        using var full = new TcpListener(IPAddress.Loopback, 0);
        full.Start(backlog: 0); // the system keeps one connection, which is that of the request
        var exception = await Assert.ThrowsAsync<IOException>(() => SendAsync(new Uri($"http://{full.LocalEndpoint}"), Soon, Soon));
        Assert.Equal("the program that listens there does not answer within 0.01 s", exception.Message);
    }

    [Fact]
    public async Task Gateway_ThatAnswersLate_IsWaitedForWhileItAnswersOthers()
    {
        using var gateway = new TcpListener(IPAddress.Loopback, 0);
        gateway.Start();
        var sent = SendAsync(new Uri($"http://{gateway.LocalEndpoint}"), Soon, Patience);
        using var first = await gateway.AcceptTcpClientAsync(TestContext.Current.CancellationToken);
        using (await gateway.AcceptTcpClientAsync(TestContext.Current.CancellationToken))
        {
            // asked whether it answers, it closes the connection
        }

        await first.GetStream().WriteAsync("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"u8.ToArray(), TestContext.Current.CancellationToken);
        gateway.Stop(); // no further question is open
        Assert.Equal((200, null, "{}"), await sent);
    }

    [Fact]
    public async Task Request_OfAVerb_HasItsHeadersAndItsBody()
    {
        using var server = new FixedServer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{\"down\":1}");
        await VerbRun.TextAsync("tap", "A", "--holder", "bot", "--token", "secret", "--url", server.Url, "--emulator", "a b");
        Assert.Equal(
            $"POST /i/a%20b/v2/keys/tap HTTP/1.1|Host: {new Uri(server.Url).Authority}|Connection: close|Authorization: Bearer secret|Mgba-Holder: bot|Accept: application/json"
            + "|Content-Type: application/json; charset=utf-8|Content-Length: 12||{\"keys\":\"A\"}",
            (await server.Request).Replace("\r\n", "|", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("http://127.0.0.1:5000", true)]
    [InlineData("http://[::1]:5000", true)]
    [InlineData("https://127.0.0.1:5000", false)]
    [InlineData("http://localhost:5000", false)]
    [InlineData("http://192.0.2.1", false)]
    public void For_AUrl_IsAHandlerOnlyForLoopbackAddresses(string url, bool expected)
    {
        using var handler = LoopbackHandler.For(new Uri(url));
        Assert.Equal(expected, handler is not null);
    }

    private static async Task<(int Status, string? Type, string Body)> AnswerAsync(params string[] parts)
    {
        using var server = new FixedServer(parts);
        return await SendAsync(new Uri(server.Url), Patience, Patience);
    }

    private static Task<(int Status, string? Type, string Body)> SendAsync(Uri url, TimeSpan silence, TimeSpan patience) => Task.Factory.StartNew(
        () =>
        {
            using var handler = new LoopbackHandler(IPAddress.Loopback, silence, patience);
            using var client = new HttpMessageInvoker(handler);
            using var request = new HttpRequestMessage(HttpMethod.Get, url);
            using var response = client.Send(request, TestContext.Current.CancellationToken);
            using var reader = new StreamReader(response.Content.ReadAsStream(TestContext.Current.CancellationToken));
            return ((int)response.StatusCode, response.Content.Headers.ContentType?.MediaType, reader.ReadToEnd());
        },
        TestContext.Current.CancellationToken,
        TaskCreationOptions.LongRunning, // the handler blocks its thread
        TaskScheduler.Default);
}
