using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>What nobody serves below <c>/v2</c> and <c>/i</c> is answered by a problem as well. Elsewhere the answer stays bare, as mGBA-http's is.</summary>
internal static class UnknownPaths
{
    /// <summary>Lets known paths pass, and says of others what is wrong with them.</summary>
    public static Task InvokeAsync(HttpContext http, RequestDelegate next) =>
        http.GetEndpoint() is RouteEndpoint || !IsOurs(http.Request.Path) ? next(http) : AnswerAsync(http, next);

    private static bool IsOurs(PathString path) => WithoutEmptyParts(path) is var plain && (plain.StartsWithSegments("/v2") || plain.StartsWithSegments("/i"));

    // as when a base URL that ends in / is joined with a path
    private static PathString WithoutEmptyParts(PathString path) =>
        path.Value?.Contains("//", StringComparison.Ordinal) == true ? $"/{string.Join('/', path.Value.Split('/', StringSplitOptions.RemoveEmptyEntries))}" : path;

    private static async Task AnswerAsync(HttpContext http, RequestDelegate next)
    {
        await next(http);
        if (http.Response.StatusCode == StatusCodes.Status405MethodNotAllowed)
        {
            await Problems.WriteAsync(http, FailureKind.WrongMethod, $"{http.Request.Path} takes {http.Response.Headers.Allow}, not {http.Request.Method}.");
        }
        else if (http.Response.StatusCode == StatusCodes.Status404NotFound)
        {
            await Problems.WriteAsync(http, FailureKind.NoSuchPath, WithoutEmptyParts(http.Request.Path) is var plain && plain == http.Request.Path
                ? $"There is no path {http.Request.Path}. The page /docs and GET /openapi/v1.json list all."
                : $"There is no path {http.Request.Path}: it has an empty part. Write {plain}.");
        }
    }
}
