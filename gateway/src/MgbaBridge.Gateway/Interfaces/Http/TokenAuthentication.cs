using System.Buffers.Text;
using System.Net;
using System.Text;
using System.Threading.RateLimiting;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Authenticates callers by their token, and answers 401 or 429 to those without a valid one.</summary>
internal sealed class TokenAuthentication(CredentialStore credentials, WrongTokenLimit wrongTokens)
{
    /// <summary>How a WebSocket subprotocol with the token begins; base64url of the token follows. Browsers cannot send the header on a WebSocket.</summary>
    public const string SubprotocolPrefix = "bearer.";

    private const string Scheme = "Bearer";
    private const string Prefix = $"{Scheme} ";

    private static readonly Failure Needed = new(FailureKind.TokenNeeded, "Send a token of this gateway (Bridge:Http:Tokens or Bridge:Http:Token) as Authorization: Bearer ….");
    private static readonly Failure Ended = new(FailureKind.LinkEnded, "This link has ended. Ask the person who gave it to you for another one.");

    /// <summary>Answers a request without a valid token.</summary>
    public static Task ChallengeAsync(HttpContext http, Failure refusal)
    {
        if (refusal.Kind == FailureKind.TooManyRequests)
        {
            http.Response.Headers.RetryAfter = "1";
        }
        else
        {
            http.Response.Headers.WWWAuthenticate = Scheme;
        }

        return Problems.WriteAsync(http, null, refusal).AsTask();
    }

    /// <summary>The credential of the request's token, or null and why.</summary>
    public Credential? Find(HttpContext http, out Failure refusal)
    {
        refusal = Needed;
        if (Presented(http) is not { } token)
        {
            return null;
        }

        if (!AccessControl.IsAdmitted(http) && wrongTokens.IsReached(http))
        {
            refusal = new Failure(FailureKind.TooManyRequests, $"More than {WrongTokenLimit.PerSecond} wrong tokens a second came from {CallerAddress.Of(http)}. Wait a second.");
            return null;
        }

        if (credentials.Find(token) is { } credential)
        {
            return credential;
        }

        // who asks again with a token that was valid is not guessing
        if (credentials.HasEnded(token))
        {
            refusal = Ended;
        }
        else
        {
            wrongTokens.Count(http);
        }

        return null;
    }

    // null when none was sent; an empty text when the header is of another scheme
    private static string? Presented(HttpContext http)
    {
        var authorization = http.Request.Headers.Authorization.ToString();
        if (authorization.Length > 0)
        {
            return authorization.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) ? authorization[Prefix.Length..].Trim() : "";
        }

        foreach (var protocol in http.WebSockets.WebSocketRequestedProtocols)
        {
            var bytes = new byte[protocol.Length];
            if (protocol.StartsWith(SubprotocolPrefix, StringComparison.Ordinal) && Base64Url.TryDecodeFromChars(protocol.AsSpan(SubprotocolPrefix.Length), bytes, out var length))
            {
                return Encoding.UTF8.GetString(bytes.AsSpan(0, length));
            }
        }

        return null;
    }
}

/// <summary>Limits how many tokens a caller can guess. Beyond, none of its tokens is looked at, except on connections that sent a right one before.</summary>
internal sealed class WrongTokenLimit : IDisposable
{
    /// <summary>How many wrong tokens a second one caller may send.</summary>
    public const int PerSecond = 10;

    private readonly PartitionedRateLimiter<IPAddress> _limiter = RateLimit.PerCaller(PerSecond);

    /// <summary>Whether the caller has sent too many.</summary>
    public bool IsReached(HttpContext http) => _limiter.GetStatistics(CallerAddress.Of(http))?.CurrentAvailablePermits == 0;

    /// <summary>Counts a wrong one.</summary>
    public void Count(HttpContext http) => _limiter.AttemptAcquire(CallerAddress.Of(http)).Dispose();

    public void Dispose() => _limiter.Dispose();
}
