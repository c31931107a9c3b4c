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

    private const string Folder = "page/";

    /// <summary>Adds the page. It contains no secrets and needs no token: it asks for one itself.</summary>
    public static void MapHomePage(this WebApplication app)
    {
        var files = typeof(HomePage).Assembly.GetManifestResourceNames()
            .Where(static name => name.StartsWith(Folder, StringComparison.Ordinal)).Order(StringComparer.Ordinal)
            .Select(static name => (Name: name[Folder.Length..], Content: PageFile.Read(name))).ToArray();
        var version = PageFile.VersionOf([.. files.SelectMany(static file => file.Content)]);
        foreach (var (name, content) in files) // they name each other relative to themselves, so that a page has only those of its version
        {
            app.MapGet($"/{Folder}{version}/{name}", new PageFile(ContentTypeOf(name), "public, max-age=31536000, immutable", content).ServeAsync).WithMetadata(new RequiredRole(Role.None));
        }

        var credentials = app.Services.GetRequiredService<CredentialStore>();
        var hasFleet = app.Services.GetService<FleetDatabase>() is not null;
        var programs = app.Services.GetRequiredService<Programs>();
        var page = new Lazy<PageFile>(() => Create(version, ScriptFile(programs), programs, hasFleet));
        var pageOfOthers = new Lazy<PageFile>(() => Create(version, ScriptUnknown, programs, hasFleet));
        foreach (var path in (string[])["/", HostAndOriginPolicy.OverlayPath])
        {
            app.MapGet(path, async http =>
            {
                await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the first one writes the script file
                http.Response.Headers.ContentSecurityPolicy = Policy;
                http.Response.Headers["Referrer-Policy"] = "no-referrer";
                await (credentials.HasTokens ? pageOfOthers : page).Value.ServeAsync(http); // without a token nobody learns where files are
            }).WithMetadata(new RequiredRole(Role.None));
        }
    }

    private static PageFile Create(string version, string script, Programs programs, bool hasFleet)
    {
        var html = Encoding.UTF8.GetString(PageFile.Read("index.html"))
            .Replace($"\"./{Folder}", $"\"{Folder}{version}/", StringComparison.Ordinal) // as Vite writes them
            .Replace("{script}", WebUtility.HtmlEncode(script), StringComparison.Ordinal)
            .Replace("{start}", WebUtility.HtmlEncode($"{Program} --script \"{script}\" game.gba"), StringComparison.Ordinal)
            .Replace("{fleet}", YesOrNo(hasFleet), StringComparison.Ordinal)
            .Replace("{headless}", YesOrNo(programs.Headless is not null), StringComparison.Ordinal)
            .Replace("{window}", YesOrNo(programs.Window is not null), StringComparison.Ordinal)
            .Replace("{page}", version, StringComparison.Ordinal);
        return new PageFile(ContentTypeOf(".html"), "no-cache", Encoding.UTF8.GetBytes(html));
    }

    private static string YesOrNo(bool holds) => holds ? "yes" : "no";

    private static string ContentTypeOf(string name) => Path.GetExtension(name) switch
    {
        ".html" => "text/html; charset=utf-8",
        ".js" => "text/javascript; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".svg" => "image/svg+xml",
        ".webmanifest" => "application/manifest+json",
        _ => throw new ArgumentOutOfRangeException(nameof(name), name, "No content type is known."),
    };

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
