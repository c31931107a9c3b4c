using System.Buffers.Text;
using System.Net;
using System.Text;
using System.Text.Encodings.Web;
using System.Threading.RateLimiting;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Authentication;
using Microsoft.Extensions.Options;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Authenticates callers by their token, and answers 401, 403 or 429 to those who are refused.</summary>
internal sealed class TokenAuthentication(
    IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory loggers, UrlEncoder encoder, CredentialStore credentials, WrongTokenLimit wrongTokens)
    : AuthenticationHandler<AuthenticationSchemeOptions>(options, loggers, encoder)
{
    /// <summary>The scheme's name.</summary>
    public const string SchemeName = "Bearer";

    /// <summary>How a WebSocket subprotocol with the token begins; base64url of the token follows. Browsers cannot send the header on a WebSocket.</summary>
    public const string SubprotocolPrefix = "bearer.";

    private const string Prefix = $"{SchemeName} ";

    private static readonly AuthenticateResult NotValid = AuthenticateResult.Fail("The token is not valid.");
    private static readonly AuthenticateResult TooMany = AuthenticateResult.Fail("Too many wrong tokens.");

    protected override Task<AuthenticateResult> HandleAuthenticateAsync() => Task.FromResult(Authenticate());

    protected override async Task HandleChallengeAsync(AuthenticationProperties properties)
    {
        if (await HandleAuthenticateOnceAsync() == TooMany)
        {
            Response.Headers.RetryAfter = "1";
            await Problems.WriteAsync(Context, RefusalKind.TooManyRequests, $"More than {WrongTokenLimit.PerSecond} wrong tokens a second came from {CallerAddress.Of(Context)}. Wait a second.");
            return;
        }

        Response.Headers.WWWAuthenticate = SchemeName;
        await Problems.WriteAsync(Context, RefusalKind.TokenNeeded, "Send a token of this gateway (Bridge:Http:Tokens or Bridge:Http:Token) as Authorization: Bearer ….");
    }

    protected override Task HandleForbiddenAsync(AuthenticationProperties properties) => Problems.RoleNeededAsync(Context, RequiredRole.Of(Context)).AsTask();

    private AuthenticateResult Authenticate()
    {
        var token = Presented();
        if (token is null)
        {
            return AuthenticateResult.NoResult();
        }

        if (!AccessControl.IsAdmitted(Context) && wrongTokens.IsReached(Context))
        {
            return TooMany;
        }

        if (credentials.Find(token) is { } credential)
        {
            return AuthenticateResult.Success(new AuthenticationTicket(credential.Principal, SchemeName));
        }

        wrongTokens.Count(Context);
        return NotValid;
    }

    // null when none was sent; an empty text when the header is of another scheme
    private string? Presented()
    {
        var authorization = Request.Headers.Authorization.ToString();
        if (authorization.Length > 0)
        {
            return authorization.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) ? authorization[Prefix.Length..].Trim() : "";
        }

        foreach (var protocol in Context.WebSockets.WebSocketRequestedProtocols)
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
