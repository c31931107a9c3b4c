using System.Net;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features.Authentication;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>
/// Who may do what. With tokens each request needs the role of its endpoint; the caller is kept for the connection, whose next requests with the same token
/// are compared only. Without tokens only this machine is let in, as owner.
/// </summary>
internal sealed class AccessControl(CredentialStore credentials, TokenAuthentication tokens)
{
    /// <summary>What to do about a missing token.</summary>
    public const string Needed = "A gateway that other machines can reach needs a token: set Bridge:Http:Tokens (mgba-bridge token makes one) or Bridge:Http:Token, which callers send as Authorization: Bearer ….";

    private static readonly object Admitted = new();

    /// <summary>Whether a URL to listen on can be reached from this machine only.</summary>
    public static bool IsLocal(string url)
    {
        var address = BindingAddress.Parse(url);
        return address.IsUnixPipe || address.IsNamedPipe
            || address.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
            || (IPAddress.TryParse(address.Host.Trim('[', ']'), out var ip) && IPAddress.IsLoopback(ip));
    }

    /// <summary>Whether this connection has sent a valid token before.</summary>
    public static bool IsAdmitted(HttpContext http) => KnownOf(http) is not null;

    /// <summary>Whether the request has a valid token.</summary>
    public bool HasValidToken(HttpContext http) => credentials.HasTokens && (KnownBySameToken(http) ?? tokens.Find(http, out _)) is not null;

    /// <summary>Passes on what the caller may do, and refuses the rest: 401 or 429 without a valid token, otherwise 403.</summary>
    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (!credentials.HasTokens)
        {
            return http.Connection.LocalIpAddress is { } here && !IPAddress.IsLoopback(here) ? Problems.WriteAsync(http, FailureKind.NoTokenSet, Needed).AsTask() : next(http);
        }

        Failure? refusal = null;
        var credential = KnownBySameToken(http) ?? tokens.Find(http, out refusal);
        var required = RequiredRole.Of(http);
        if (credential is null)
        {
            return required == Role.None ? next(http) : TokenAuthentication.ChallengeAsync(http, refusal!);
        }

        http.User = credential.Principal;
        if (credential.Role < required)
        {
            return Problems.RoleNeededAsync(http, required).AsTask();
        }

        Remember(http, credential);
        return credential.Caller.Owner is { } owner && !IsForOwners(http) ? Problems.WriteAsync(http, null, Failure.OperatorNeeded(owner)).AsTask() : next(http);
    }

    // only what is marked is made for tokens of owners
    private static bool IsForOwners(HttpContext http) => http.GetEndpoint() is not { Metadata: var metadata }
        || metadata.GetMetadata<Operation>() is { IsShared: false } || metadata.GetMetadata<ForOwners>() is not null || metadata.GetMetadata<RequiredRole>()?.Role == Role.None;

    // with HTTP/2 the requests of a connection run at the same time, and its items are not safe for that: each is authenticated
    private static void Remember(HttpContext http, Credential credential)
    {
        var authorization = http.Request.Headers.Authorization.ToString();
        if (authorization.Length > 0 && HttpProtocol.IsHttp11(http.Request.Protocol) && KnownOf(http)?.Credential != credential
            && http.Features.Get<IConnectionItemsFeature>()?.Items is { } items)
        {
            items[Admitted] = new Known(authorization, credential);
        }
    }

    private static Credential? KnownBySameToken(HttpContext http) =>
        KnownOf(http) is { } known && IsSame(known.Authorization, http.Request.Headers.Authorization.ToString()) ? known.Credential : null;

    private static Known? KnownOf(HttpContext http) =>
        http.Features.Get<IConnectionItemsFeature>()?.Items.TryGetValue(Admitted, out var found) == true && found is Known { Credential.Revoked.IsCancellationRequested: false } known ? known : null;

    private static bool IsSame(string known, string sent) =>
        ReferenceEquals(known, sent) || CryptographicOperations.FixedTimeEquals(MemoryMarshal.AsBytes(known.AsSpan()), MemoryMarshal.AsBytes(sent.AsSpan()));

    private sealed record Known(string Authorization, Credential Credential);
}

/// <summary>The role that an endpoint requires; without one it is viewer. <see cref="Role.None"/> for what contains nothing to protect: health, and the files of the web page.</summary>
/// <param name="Role">The role.</param>
internal sealed record RequiredRole(Role Role)
{
    /// <summary>The role that the request's endpoint requires.</summary>
    public static Role Of(HttpContext http) => http.GetEndpoint()?.Metadata.GetMetadata<RequiredRole>()?.Role ?? Role.Viewer;
}

/// <summary>Marks endpoints, other than operations, that show callers nothing of other owners.</summary>
internal sealed class ForOwners
{
    /// <summary>The one there is.</summary>
    public static readonly ForOwners Instance = new();

    private ForOwners()
    {
    }
}

/// <summary>The caller of a request, and the registration of what finds out.</summary>
internal static class AccessExtensions
{
    /// <summary>The caller: that of its token; without tokens the operator.</summary>
    public static Caller Caller(this HttpContext http) => http.Credential()?.Caller ?? default;

    /// <summary>The credential of the caller; null when it sent no valid token.</summary>
    public static Credential? Credential(this HttpContext http) =>
        Security.Credential.Of(http.Features.Get<IHttpAuthenticationFeature>()?.User) ?? http.Single<CredentialStore>().Local;

    /// <summary>Cancelled when the caller's token is withdrawn: what stays open for it ends then.</summary>
    public static CancellationToken Revoked(this HttpContext http) => http.Credential()?.Revoked ?? CancellationToken.None;

    /// <summary>Adds access control, without ASP.NET Core's authentication and authorization: where their services are, WebApplication adds their middleware for each request.</summary>
    public static void AddAccessControl(this IServiceCollection services, HttpOptions options)
    {
        services.AddSingleton(new CredentialStore(options.Token, options.Tokens));
        services.AddSingleton<WrongTokenLimit>();
        services.AddSingleton<TokenAuthentication>();
        services.AddSingleton<AccessControl>();
    }
}
