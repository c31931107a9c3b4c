using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Threading.RateLimiting;
using Microsoft.AspNetCore.Connections.Features;

namespace MgbaBridge.Gateway.Api.Http;

/// <summary>Lets in who knows the token. Without one nobody from another machine comes in, however the port was opened.</summary>
internal sealed class Tokens(HttpOptions options) : IDisposable
{
    /// <summary>How many wrong tokens a second one caller may send. Beyond, none of its tokens is looked at, except on connections that sent the right one before.</summary>
    public const int WrongPerSecond = 10;

    /// <summary>What to do about it.</summary>
    public const string Needed = "A gateway that other machines can reach needs a token: set Bridge:Http:Token, which callers send as Authorization: Bearer ….";

    private const string Scheme = "Bearer ";
    private const string Health = "/healthz";

    private static readonly object Admitted = new();

    private readonly PartitionedRateLimiter<IPAddress> _wrong = RateLimit.PerCaller(WrongPerSecond);
    private readonly byte[]? _hash = string.IsNullOrEmpty(options.Token) ? null : SHA256.HashData(Encoding.UTF8.GetBytes(options.Token));

    /// <summary>Whether a URL to listen on can be reached from this machine only.</summary>
    public static bool IsLocal(string url)
    {
        var address = BindingAddress.Parse(url);
        return address.IsUnixPipe || address.IsNamedPipe
            || address.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
            || (IPAddress.TryParse(address.Host.Trim('[', ']'), out var ip) && IPAddress.IsLoopback(ip));
    }

    /// <summary>Answers 401 or 403 to those who may not come in.</summary>
    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (_hash is null)
        {
            return http.Connection.LocalIpAddress is { } here && !IPAddress.IsLoopback(here) ? Problems.NoTokenSetAsync(http, Needed).AsTask() : next(http);
        }

        // preflight requests and health checks have no token
        if (HttpMethods.IsOptions(http.Request.Method) || http.Request.Path == Health)
        {
            return next(http);
        }

        var authorization = http.Request.Headers.Authorization.ToString();
        if (authorization.Length == 0)
        {
            return Refuse(http);
        }

        var connection = http.Features.Get<IConnectionItemsFeature>()?.Items;
        if (connection?.ContainsKey(Admitted) != true && _wrong.GetStatistics(Caller.Of(http))?.CurrentAvailablePermits == 0)
        {
            http.Response.Headers.RetryAfter = "1";
            return Problems.TooManyAsync(http, $"More than {WrongPerSecond} wrong tokens a second came from {Caller.Of(http)}. Wait a second.").AsTask();
        }

        if (Knows(authorization))
        {
            connection?.TryAdd(Admitted, Admitted);
            return next(http);
        }

        _wrong.AttemptAcquire(Caller.Of(http)).Dispose();
        return Refuse(http);
    }

    /// <inheritdoc/>
    public void Dispose() => _wrong.Dispose();

    private static Task Refuse(HttpContext http)
    {
        http.Response.Headers.WWWAuthenticate = "Bearer";
        return Problems.UnauthorizedAsync(http, "Send the token of Bridge:Http:Token as Authorization: Bearer ….").AsTask();
    }

    // hashes have one length, and comparing them takes the same time however much is right
    private bool Knows(string authorization) => authorization.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase)
        && CryptographicOperations.FixedTimeEquals(_hash, SHA256.HashData(Encoding.UTF8.GetBytes(authorization[Scheme.Length..].Trim())));
}
