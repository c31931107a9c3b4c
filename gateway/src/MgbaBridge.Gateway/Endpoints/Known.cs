namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What the caller has already, as <c>If-None-Match</c> says.</summary>
internal static class Known
{
    /// <summary>Whether the caller has what this tag stands for.</summary>
    public static bool Has(HttpContext http, string tag)
    {
        var said = http.Request.Headers.IfNoneMatch;
        return said.Count > 0 && (said == "*" || said.ToString().Contains(tag, StringComparison.Ordinal));
    }
}
