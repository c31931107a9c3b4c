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

    private readonly FrozenSet<string> _hosts = options.AllowedHosts.Where(static name => !HostNamesAttribute.IsPattern(name)).Append("localhost").ToFrozenSet(StringComparer.OrdinalIgnoreCase);
    private readonly string[] _domains = [.. options.AllowedHosts.Where(HostNamesAttribute.IsPattern).Select(static pattern => pattern[1..])];
    private readonly FrozenSet<string> _origins = options.AllowedOrigins.ToFrozenSet(StringComparer.OrdinalIgnoreCase);
    private string _lastHost = "";

    /// <summary>Answers 403 to requests that the policy refuses, answers CORS preflight requests, and passes on all others.</summary>
    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var host = http.Request.Headers.Host.ToString();
        if (string.Equals(host, _lastHost, StringComparison.Ordinal))
        {
            return CheckOriginAsync(http, next); // nearly all callers say the same, so that is compared first
        }

        if (!IsOurs(http.Request.Host))
        {
            return CheckTokenAsync(http, next);
        }

        _lastHost = host;
        return CheckOriginAsync(http, next);
    }

    /// <summary>A page that gives its own name our address does not know a token, and a request of another page says its origin: neither matters to a program
    /// that has a token, whatever it calls this machine.</summary>
    private async Task CheckTokenAsync(HttpContext http, RequestDelegate next)
    {
        if (http.Request.Headers.Origin.Count == 0 && http.RequestServices.GetRequiredService<AccessControl>().HasValidToken(http))
        {
            await CheckOriginAsync(http, next);
            return;
        }

        await Problems.WriteAsync(http, FailureKind.ForeignOrigin,
            $"The Host {http.Request.Host.Host} is not allowed. Use localhost or an IP address, or send a token of this gateway. If it is a name of this gateway, as of a tunnel, add it "
            + $"(for its web pages both lines), and start the gateway again:\n{LineFor(nameof(HttpOptions.AllowedHosts), http.Request.Host.Host)}\n{LineFor(nameof(HttpOptions.AllowedOrigins), OriginOf(http.Request))}");
    }

    private Task CheckOriginAsync(HttpContext http, RequestDelegate next)
    {
        var headers = http.Request.Headers;
        var origin = headers.Origin.ToString();
        if (origin.Length == 0)
        {
            return IsFromThisOriginOrNoPage(http.Request) || IsFromAllowedReferrer(headers) || IsNavigationToAPage(http.Request)
                ? next(http)
                : Problems.WriteAsync(http, FailureKind.ForeignOrigin, "The request comes from a web page of another origin. Add the origin to Bridge:Http:AllowedOrigins.").AsTask();
        }

        if (_origins.Contains(origin))
        {
            return LetIn(http, origin, next);
        }

        return IsSame(origin, http.Request) ? next(http)
            : Problems.WriteAsync(http, FailureKind.ForeignOrigin, WhyNot(origin)).AsTask();
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
    // every browser sends a Host; without one it is a health check of HTTP/1.0
    private bool IsOurs(HostString host) => !host.HasValue || _hosts.Contains(host.Host) || IPAddress.TryParse(host.Host.Trim('[', ']'), out _)
        || Array.Exists(_domains, domain => host.Host.Length > domain.Length && host.Host.EndsWith(domain, StringComparison.OrdinalIgnoreCase));

    private static string WhyNot(string origin) => origin == OriginsAttribute.None || origin.StartsWith("file:", StringComparison.OrdinalIgnoreCase)
        ? $"A page that was opened as a file, or that is in a sandbox, has no origin of its own (it sends {origin}), so it cannot be allowed. {OriginsAttribute.Advice}"
        : $"The Origin {origin} is not allowed. If it is yours, add it, and start the gateway again:\n{LineFor(nameof(HttpOptions.AllowedOrigins), origin)}";

    // the name of a tunnel is reached with TLS, which the tunnel ends
    private static string OriginOf(HttpRequest request) => request.Headers.Origin.ToString() is { Length: > 0 } origin && OriginsAttribute.IsOrigin(origin) ? origin
        : $"{(request.Headers["X-Forwarded-Proto"] == Uri.UriSchemeHttp ? Uri.UriSchemeHttp : Uri.UriSchemeHttps)}://{request.Host.Value}";

    private static string LineFor(string setting, string value) => $"Bridge__Http__{setting}__0={value}";

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
