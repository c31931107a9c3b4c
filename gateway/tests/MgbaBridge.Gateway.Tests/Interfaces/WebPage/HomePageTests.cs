using System.Buffers.Text;
using System.Net;
using System.Net.Http.Headers;
using System.Net.WebSockets;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Interfaces.WebPage;

/// <summary>The page at <c>/</c> without a browser; <c>scripts/tests/test_web.py</c> opens it in two.</summary>
public sealed class HomePageTests
{
    private const string Token = "a-token-of-the-tests";

    private static readonly CancellationToken Stop = TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("/")]
    [InlineData("/overlay")]
    public async Task Page_ForABrowser_NamesTheScriptFileAndNothingFromElsewhere(string path)
    {
        await using var gateway = GatewayHost.Start(1);
        using var response = await gateway.Client.GetAsync(new Uri(path, UriKind.Relative), Stop);
        Assert.Equal("text/html; charset=utf-8", response.Content.Headers.ContentType?.ToString());
        var html = await response.Content.ReadAsStringAsync(Stop);
        var withoutScript = html.Split("<noscript>")[1];
        Assert.Contains("This page needs JavaScript.", withoutScript, StringComparison.Ordinal);
        var file = Regex.Match(withoutScript, "<code id=\"script\">(.*)</code>").Groups[1].Value;
        Assert.True(Path.IsPathRooted(file), file);
        Assert.Equal(await File.ReadAllBytesAsync(Repository.File("lua/mgba-bridge.lua"), Stop), await File.ReadAllBytesAsync(file, Stop));
        Assert.DoesNotMatch("(src|href)=\"(https?:)?//|\\son\\w+=|style=|<style|<script>", html);
        Assert.DoesNotContain("{", html.Split("<noscript>")[0], StringComparison.Ordinal);
        Assert.Contains("script-src 'self'", response.Headers.GetValues("Content-Security-Policy").Single(), StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", response.Headers.GetValues("Content-Security-Policy").Single(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Files_OfThePage_AreCompressedAndKeptByBrowsers()
    {
        await using var gateway = GatewayHost.Start(1);
        var html = await gateway.Client.GetStringAsync(new Uri("/", UriKind.Relative), Stop);
        var folder = FolderOf(html);
        Assert.All(Regex.Matches(html, "(?:src|href)=\"(page/[^\"]*)\""), match => Assert.StartsWith(folder, match.Groups[1].Value, StringComparison.Ordinal));
        Assert.Contains($"name=\"mgba-page\" content=\"{folder.Split('/')[1]}\"", html, StringComparison.Ordinal);
        foreach (var name in Directory.GetFiles(Repository.File("gateway/src/MgbaBridge.Gateway/Interfaces/WebPage/Bundle/page")).Select(Path.GetFileName))
        {
            using var plain = await gateway.Client.GetAsync(new Uri(folder + name, UriKind.Relative), Stop);
            Assert.Equal(HttpStatusCode.OK, plain.StatusCode);
            Assert.Contains("immutable", plain.Headers.CacheControl?.ToString(), StringComparison.Ordinal);
            using var request = new HttpRequestMessage(HttpMethod.Get, folder + name) { Headers = { AcceptEncoding = { new StringWithQualityHeaderValue("br") } } };
            using var packed = await gateway.Client.SendAsync(request, Stop);
            await using var brotli = new System.IO.Compression.BrotliStream(await packed.Content.ReadAsStreamAsync(Stop), System.IO.Compression.CompressionMode.Decompress);
            using var unpacked = new MemoryStream();
            await brotli.CopyToAsync(unpacked, Stop);
            Assert.Equal(await plain.Content.ReadAsByteArrayAsync(Stop), unpacked.ToArray());
            using var refusing = new HttpRequestMessage(HttpMethod.Get, folder + name) { Headers = { AcceptEncoding = { new StringWithQualityHeaderValue("br", 0), new StringWithQualityHeaderValue("gzip", 0) } } };
            using var unpackedAsAsked = await gateway.Client.SendAsync(refusing, Stop);
            Assert.Empty(unpackedAsAsked.Content.Headers.ContentEncoding);
            using var again = new HttpRequestMessage(HttpMethod.Get, folder + name) { Headers = { IfNoneMatch = { plain.Headers.ETag! } } };
            using var unchanged = await gateway.Client.SendAsync(again, Stop);
            Assert.Equal(HttpStatusCode.NotModified, unchanged.StatusCode);
        }
    }

    [Fact]
    public async Task File_OfAPageOfAnotherVersion_IsNotFound()
    {
        await using var gateway = GatewayHost.Start(1);
        using var page = await gateway.Client.GetAsync(new Uri("/", UriKind.Relative), Stop);
        Assert.Equal("no-cache", page.Headers.CacheControl?.ToString());
        using var file = await gateway.Client.GetAsync(new Uri("/page/0123456789abcdef/memory.js", UriKind.Relative), Stop);
        Assert.Equal(HttpStatusCode.NotFound, file.StatusCode);
    }

    [Fact]
    public async Task Page_OfAGatewayWithAToken_IsServedWithoutItButNothingElse()
    {
        await using var gateway = GatewayHost.Start(1, ("Http:Token", Token));
        var html = await gateway.Client.GetStringAsync(new Uri("/", UriKind.Relative), Stop);
        Assert.DoesNotContain(Path.GetTempPath(), html, StringComparison.Ordinal);
        Assert.Contains("write it with: mgba-bridge script", html, StringComparison.Ordinal);
        using var file = await gateway.Client.GetAsync(new Uri(FolderOf(html) + "app.js", UriKind.Relative), Stop);
        Assert.Equal(HttpStatusCode.OK, file.StatusCode);
        foreach (var path in (string[])["/v2/emulators", "/metrics", "/docs", "/nothing"])
        {
            using var refused = await gateway.Client.GetAsync(new Uri(path, UriKind.Relative), Stop);
            Assert.Equal(HttpStatusCode.Unauthorized, refused.StatusCode);
        }
    }

    [Fact]
    public async Task Page_OnceATokenIsSet_NamesNoFile()
    {
        await using var gateway = GatewayHost.Start(1);
        Assert.DoesNotContain("write it with: mgba-bridge script", await gateway.Client.GetStringAsync(new Uri("/", UriKind.Relative), Stop), StringComparison.Ordinal);
        gateway.Services.GetRequiredService<CredentialStore>().Change(Token, []);
        Assert.Contains("write it with: mgba-bridge script", await gateway.Client.GetStringAsync(new Uri("/", UriKind.Relative), Stop), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Token, true)]
    [InlineData("another-token-entirely", false)]
    public async Task WebSocket_WithTheTokenAsSubprotocol_IsOpenedIfItIsRight(string token, bool isRight)
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Http:Token", Token));
        using var socket = new ClientWebSocket { Options = { CollectHttpResponseDetails = true } };
        socket.Options.AddSubProtocol("mgba-bridge");
        socket.Options.AddSubProtocol($"bearer.{Base64Url.EncodeToString(Encoding.UTF8.GetBytes(token))}");
        var opening = socket.ConnectAsync(new UriBuilder(gateway.Client.BaseAddress!) { Scheme = "ws", Path = "/v2/ws" }.Uri, Stop);
        if (isRight)
        {
            await opening;
            Assert.Equal("mgba-bridge", socket.SubProtocol);
        }
        else
        {
            await Assert.ThrowsAsync<WebSocketException>(() => opening);
            Assert.Equal(HttpStatusCode.Unauthorized, socket.HttpStatusCode);
        }
    }

    /// <summary>The folder of its version, in which all files of a page are.</summary>
    private static string FolderOf(string html) => Regex.Match(html, "src=\"(page/[0-9a-f]{16}/)app\\.js\"").Groups[1].Value;
}
