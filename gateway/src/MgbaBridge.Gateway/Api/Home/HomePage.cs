using System.Net;
using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Gateway.Supervision;

namespace MgbaBridge.Gateway.Api.Home;

/// <summary><c>GET /</c> for browsers: whether an emulator is connected, otherwise the steps to connect one.</summary>
internal static class HomePage
{
    private const string Resource = "home.html";

    /// <summary>Adds the page.</summary>
    public static void MapHomePage(this WebApplication app)
    {
        var page = new Lazy<(byte[] Html, string Policy)>(() => Create(app.Services.GetRequiredService<Programs>()));
        app.MapGet("/", async http =>
        {
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the first one writes the script file
            var (html, policy) = page.Value;
            http.Response.ContentType = "text/html; charset=utf-8";
            http.Response.ContentLength = html.Length;
            http.Response.Headers.ContentSecurityPolicy = policy;
            http.Response.Headers.CacheControl = "no-cache";
            await http.Response.Body.WriteAsync(html, http.RequestAborted);
        });
    }

    private static (byte[] Html, string Policy) Create(Programs programs)
    {
        using var stream = typeof(HomePage).Assembly.GetManifestResourceStream(Resource)!;
        using var reader = new StreamReader(stream, Encoding.UTF8);
        var script = ScriptFile(programs);
        var html = reader.ReadToEnd().ReplaceLineEndings("\n")
            .Replace("{script}", WebUtility.HtmlEncode(script), StringComparison.Ordinal)
            .Replace("{start}", WebUtility.HtmlEncode($"{Program} --script \"{script}\" game.gba"), StringComparison.Ordinal);
        var policy = $"default-src 'none'; style-src {Hash(html, "style")}; script-src {Hash(html, "script")}; connect-src 'self'; img-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        return (Encoding.UTF8.GetBytes(html), policy);
    }

    private static string Program => OperatingSystem.IsMacOS() ? "/Applications/mGBA.app/Contents/MacOS/mGBA" : OperatingSystem.IsWindows() ? "mGBA.exe" : "mgba-qt";

    // a browser runs only the script and the styles of this text
    private static string Hash(string html, string element)
    {
        var start = html.IndexOf($"<{element}>", StringComparison.Ordinal) + element.Length + 2;
        var content = html[start..html.IndexOf($"</{element}>", start, StringComparison.Ordinal)];
        return $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(content)))}'";
    }

    private static string ScriptFile(Programs programs)
    {
        try
        {
            return Path.GetFullPath(programs.Script);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "mgba-bridge.lua (write it with: mgba-bridge script)";
        }
    }
}
