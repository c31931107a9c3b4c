using System.Collections.Frozen;
using System.Net;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Keeps web pages of other origins out. A browser on this machine can reach the gateway, and so can every page that is open in it:
/// one that lies about its own name (the Host is not ours), and one that sends from elsewhere (the Origin is not ours).</summary>
public sealed class HostAndOriginPolicy(HttpOptions options)
{
    private const string Exposed =
        $"{Headers.Frame}, {Headers.EpochHeader}, {Headers.Width}, {Headers.Height}, {Correlation.Header}, {Idempotency.Replayed}, Preference-Applied, ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, Mcp-Session-Id";

    private const string Accepted =
        $"Authorization, Content-Type, Accept, If-None-Match, Last-Event-ID, Prefer, traceparent, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, {HolderHeader.Name}, {Correlation.Header}, {Idempotency.Header}";

    /// <summary>Where the pages for people are: they may be opened by a link from anywhere.</summary>
    public const string PagesPath = "/docs";

    /// <summary>The web page as an overlay for streaming programs.</summary>
    public const string OverlayPath = "/overlay";

    private const string FetchSite = "Sec-Fetch-Site";

    private readonly FrozenSet<string> _hosts = options.AllowedHosts.Append("localhost").ToFrozenSet(StringComparer.OrdinalIgnoreCase);
    private readonly FrozenSet<string> _origins = options.AllowedOrigins.ToFrozenSet(StringComparer.OrdinalIgnoreCase);
    private string _lastHost = "";

    /// <summary>Answers 403 to requests that the policy refuses, answers CORS preflight requests, and passes on all others.</summary>
    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var headers = http.Request.Headers;
        var host = headers.Host.ToString();
        if (!string.Equals(host, _lastHost, StringComparison.Ordinal) && !IsOurs(http.Request.Host))
        {
            return Problems.WriteAsync(http, RefusalKind.ForeignOrigin, $"The Host {host} is not allowed. Use an IP address or localhost, or add the name to Bridge:Http:AllowedHosts.").AsTask();
        }

        // nearly all callers say the same, so that is compared first
        _lastHost = host;
        var origin = headers.Origin.ToString();
        if (origin.Length == 0)
        {
            return IsFromThisOriginOrNoPage(http.Request) || IsFromAllowedReferrer(headers) || IsNavigationToAPage(http.Request)
                ? next(http)
                : Problems.WriteAsync(http, RefusalKind.ForeignOrigin, "The request comes from a web page of another origin. Add the origin to Bridge:Http:AllowedOrigins.").AsTask();
        }

        if (_origins.Contains(origin))
        {
            return LetIn(http, origin, next);
        }

        return IsSame(origin, http.Request) ? next(http)
            : Problems.WriteAsync(http, RefusalKind.ForeignOrigin, $"The Origin {origin} is not allowed. Add it to Bridge:Http:AllowedOrigins.").AsTask();
    }

    private static Task LetIn(HttpContext http, string origin, RequestDelegate next)
    {
        var answer = http.Response.Headers;
        answer.AccessControlAllowOrigin = origin;
        answer.AccessControlExposeHeaders = Exposed;
        answer.Vary = "Origin";
        if (!HttpMethods.IsOptions(http.Request.Method))
        {
            return next(http);
        }

        answer.AccessControlAllowMethods = "GET, HEAD, PUT, POST, DELETE";
        answer.AccessControlAllowHeaders = Accepted;
        answer.AccessControlMaxAge = "600";
        http.Response.StatusCode = StatusCodes.Status204NoContent;
        return Task.CompletedTask;
    }

    // no page can make a browser say an address of numbers for a name of its own
    private bool IsOurs(HostString host) => _hosts.Contains(host.Host) || IPAddress.TryParse(host.Host.Trim('[', ']'), out _);

    private static bool IsSame(string origin, HttpRequest request) =>
        origin.AsSpan().StartsWith(request.Scheme) && origin.AsSpan(request.Scheme.Length).StartsWith("://")
        && origin.AsSpan(request.Scheme.Length + 3).Equals(request.Host.Value, StringComparison.OrdinalIgnoreCase);

    // Browsers omit Origin on GET requests for images and no-cors fetches, but state where the request comes from. Another port of this
    // machine is same-site, and another origin all the same. Clients that are not browsers omit the header.
    private static bool IsFromThisOriginOrNoPage(HttpRequest request) => request.Headers[FetchSite].ToString() is "" or "same-origin" or "none";

    private static bool IsNavigationToAPage(HttpRequest request) =>
        (HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method))
        && request.Headers["Sec-Fetch-Mode"] == "navigate" && request.Headers["Sec-Fetch-Dest"] == "document"
        && (request.Path == "/" || request.Path == OverlayPath || request.Path.StartsWithSegments(PagesPath));

    private bool IsFromAllowedReferrer(IHeaderDictionary headers) =>
        _origins.Count > 0 && Uri.TryCreate(headers.Referer, UriKind.Absolute, out var referrer) && _origins.Contains(referrer.GetLeftPart(UriPartial.Authority));
}
