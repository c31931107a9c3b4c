using System.Globalization;
using System.Net;
using System.Threading.RateLimiting;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>How many requests a second one address may make; only there when a setting says so.</summary>
internal sealed class RateLimit : IDisposable
{
    private const string Limit = "RateLimit-Limit";
    private const string Remaining = "RateLimit-Remaining";

    private readonly int _perSecond;
    private readonly PartitionedRateLimiter<IPAddress> _limiter;

    /// <summary>Makes it.</summary>
    public RateLimit(int perSecond)
    {
        _perSecond = perSecond;
        _limiter = PerCaller(perSecond);
    }

    /// <summary>A limiter that lets each caller do <paramref name="perSecond"/> things a second, and as many at once.</summary>
    public static PartitionedRateLimiter<IPAddress> PerCaller(int perSecond) =>
        PartitionedRateLimiter.Create<IPAddress, IPAddress>(address => RateLimitPartition.GetTokenBucketLimiter(address, _ => OptionsFor(perSecond)));

    /// <summary>A bucket that is refilled at exactly <paramref name="perSecond"/>, at least ten times a second.</summary>
    public static TokenBucketRateLimiterOptions OptionsFor(int perSecond)
    {
        var tokens = Math.Max(1, perSecond / 10);
        return new TokenBucketRateLimiterOptions
        {
            TokenLimit = perSecond,
            TokensPerPeriod = tokens,
            ReplenishmentPeriod = TimeSpan.FromSeconds((double)tokens / perSecond),
            QueueLimit = 0,
        };
    }

    /// <summary>Answers 429 when there were too many.</summary>
    public async Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var caller = CallerAddress.Of(http);
        using var lease = _limiter.AttemptAcquire(caller);
        var headers = http.Response.Headers;
        headers[Limit] = _perSecond.ToString(CultureInfo.InvariantCulture);
        headers[Remaining] = (_limiter.GetStatistics(caller)?.CurrentAvailablePermits ?? 0).ToString(CultureInfo.InvariantCulture);
        if (lease.IsAcquired)
        {
            await next(http);
            return;
        }

        headers.RetryAfter = "1";
        await Problems.WriteAsync(http, FailureKind.TooManyRequests, $"More than {_perSecond} requests a second came from {caller} (Bridge:Http:RateLimit).");
    }

    public void Dispose() => _limiter.Dispose();
}
