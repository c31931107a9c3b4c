using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Api.Home;

/// <summary>The page at <c>/</c> without a browser; <c>scripts/tests/test_web.py</c> opens it in one.</summary>
public sealed class HomePageTests
{
    [Fact]
    public async Task Page_ForABrowser_NamesTheScriptFileAndNothingFromElsewhere()
    {
        await using var gateway = GatewayHost.Start(1);
        using var response = await gateway.Client.GetAsync(new Uri("/", UriKind.Relative), TestContext.Current.CancellationToken);
        Assert.Equal("text/html; charset=utf-8", response.Content.Headers.ContentType?.ToString());
        var html = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        var file = Regex.Match(html, "<code id=\"script\">(.*)</code>").Groups[1].Value;
        Assert.True(Path.IsPathRooted(file), file);
        Assert.Equal(await File.ReadAllBytesAsync(Repository.File("lua/mgba-bridge.lua"), TestContext.Current.CancellationToken), await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken));
        Assert.DoesNotMatch("https?://|\\son\\w+=|style=", html);
        var policy = response.Headers.GetValues("Content-Security-Policy").Single();
        foreach (var element in (string[])["script", "style"])
        {
            var content = Regex.Match(html, $"<{element}>(.*)</{element}>", RegexOptions.Singleline).Groups[1].Value;
            Assert.Contains($"{element}-src 'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(content)))}'", policy, StringComparison.Ordinal);
        }
    }
}
