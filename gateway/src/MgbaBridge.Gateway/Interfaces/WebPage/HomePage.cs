using System.Net;
using System.Text;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.WebPage;

/// <summary>The web page: <c>/</c>, <c>/overlay</c> and its files, built from <c>gateway/web</c>. Without an emulator it shows the steps to connect one.</summary>
internal static class HomePage
{
    private const string Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private const string ScriptUnknown = "mgba-bridge.lua (write it with: mgba-bridge script)";

    private const string JavaScript = "text/javascript; charset=utf-8";

    private static readonly (string Path, string ContentType)[] Files =
        [("page/app.js", JavaScript), ("page/sound-worklet.js", JavaScript), ("page/app.css", "text/css; charset=utf-8"), ("page/icon.svg", "image/svg+xml"), ("page/app.webmanifest", "application/manifest+json")];

    /// <summary>Adds the page. It contains no secrets and needs no token: it asks for one itself.</summary>
    public static void MapHomePage(this WebApplication app)
    {
        var files = Files.Select(file => new PageFile(file.Path, file.ContentType, PageFile.Read(file.Path))).ToArray();
        foreach (var file in files)
        {
            app.MapGet($"/{file.Path}", file.ServeAsync).WithMetadata(WithoutToken.Instance);
        }

        var credentials = app.Services.GetRequiredService<CredentialStore>();
        var hasFleet = app.Services.GetService<FleetDatabase>() is not null;
        var page = new Lazy<PageFile>(() => Create(files, ScriptFile(app.Services.GetRequiredService<Programs>()), hasFleet));
        var pageOfOthers = new Lazy<PageFile>(() => Create(files, ScriptUnknown, hasFleet));
        foreach (var path in (string[])["/", HostAndOriginPolicy.OverlayPath])
        {
            app.MapGet(path, async http =>
            {
                await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the first one writes the script file
                http.Response.Headers.ContentSecurityPolicy = Policy;
                http.Response.Headers["Referrer-Policy"] = "no-referrer";
                await (credentials.HasTokens ? pageOfOthers : page).Value.ServeAsync(http); // without a token nobody learns where files are
            }).WithMetadata(WithoutToken.Instance);
        }
    }

    private static PageFile Create(PageFile[] files, string script, bool hasFleet)
    {
        var html = Encoding.UTF8.GetString(PageFile.Read("page/index.html"));
        foreach (var file in files)
        {
            html = html.Replace($"\"./{file.Path}\"", $"\"{file.Path}?{PageFile.VersionQuery}={file.Version}\"", StringComparison.Ordinal); // as Vite writes them
        }

        html = html
            .Replace("{script}", WebUtility.HtmlEncode(script), StringComparison.Ordinal)
            .Replace("{start}", WebUtility.HtmlEncode($"{Program} --script \"{script}\" game.gba"), StringComparison.Ordinal)
            .Replace("{fleet}", hasFleet ? "yes" : "no", StringComparison.Ordinal)
            .Replace("{page}", string.Concat(files.Select(file => file.Version)), StringComparison.Ordinal);
        return new PageFile("", "text/html; charset=utf-8", Encoding.UTF8.GetBytes(html));
    }

    private static string Program => OperatingSystem.IsMacOS() ? "/Applications/mGBA.app/Contents/MacOS/mGBA" : OperatingSystem.IsWindows() ? "mGBA.exe" : "mgba-qt";

    private static string ScriptFile(Programs programs)
    {
        try
        {
            return Path.GetFullPath(programs.Script);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return ScriptUnknown;
        }
    }
}
