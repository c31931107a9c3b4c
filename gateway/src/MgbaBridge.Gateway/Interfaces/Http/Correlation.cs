using System.Diagnostics;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>The id of a request across programs: the caller's <c>X-Correlation-ID</c>, or the trace of its <c>traceparent</c>. It is also in the
/// answer, and problems quote it.</summary>
internal static class Correlation
{
    /// <summary>The header, in and out.</summary>
    public const string Header = "X-Correlation-ID";

    private const int MaxLength = 128;

    /// <summary>Puts it into the answer, if the caller gave one.</summary>
    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (Given(http) is { } given)
        {
            http.Response.Headers[Header] = given;
        }

        return next(http);
    }

    /// <summary>The caller's, or the server's own.</summary>
    public static string Of(HttpContext http) => Given(http) ?? Activity.Current?.TraceId.ToHexString() ?? http.TraceIdentifier;

    private static string? Given(HttpContext http)
    {
        var headers = http.Request.Headers;
        if (headers.TryGetValue(Header, out var given) && given.ToString() is { Length: > 0 and <= MaxLength } own && !own.AsSpan().ContainsAnyExceptInRange('!', '~'))
        {
            return own;
        }

        return headers.TraceParent.Count > 0 && ActivityContext.TryParse(headers.TraceParent, null, out var trace) ? trace.TraceId.ToHexString() : null;
    }
}
