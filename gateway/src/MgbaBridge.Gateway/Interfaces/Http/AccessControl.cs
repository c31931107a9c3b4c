using System.Net;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text.Encodings.Web;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features.Authentication;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>
/// Who may do what. With tokens each request is authenticated and authorized by ASP.NET Core (<see cref="TokenAuthentication"/>, a policy for each role);
/// the result is kept for the connection, whose next requests with the same token are compared only. Without tokens only this machine is let in, as owner.
/// </summary>
internal sealed class AccessControl(CredentialStore credentials)
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
    public static bool IsAdmitted(HttpContext http) => KnownOf(http) is { Credential.Revoked.IsCancellationRequested: false };

    /// <summary>Whether the request has a valid token.</summary>
    public static async Task<bool> HasValidTokenAsync(HttpContext http) =>
        http.RequestServices.GetRequiredService<CredentialStore>().HasTokens
        && ((KnownOf(http) is { Credential.Revoked.IsCancellationRequested: false } known && IsSame(known.Authorization, http.Request.Headers.Authorization.ToString()))
            || (await http.AuthenticateAsync(TokenAuthentication.SchemeName)).Succeeded);

    /// <summary>Answers 403 to callers of other machines while no token is set.</summary>
    public Task RefuseOthersAsync(HttpContext http, RequestDelegate next) =>
        !credentials.HasTokens && http.Connection.LocalIpAddress is { } here && !IPAddress.IsLoopback(here)
            ? Problems.WriteAsync(http, RefusalKind.NoTokenSet, Needed).AsTask()
            : next(http);

    /// <summary>Whether the request has to be authorized: not when there are no tokens, nor when the connection's caller is known and may do this.</summary>
    public bool MustAuthorize(HttpContext http)
    {
        if (!credentials.HasTokens)
        {
            return false;
        }

        if (KnownOf(http) is not { Credential: { Revoked.IsCancellationRequested: false } credential } known
            || credential.Role < RequiredRole.Of(http) || !IsSame(known.Authorization, http.Request.Headers.Authorization.ToString()))
        {
            return true;
        }

        http.User = credential.Principal;
        return false;
    }

    /// <summary>Keeps the caller of an authorized request for the next ones of its connection. With HTTP/2 its requests run at the same time, and the items
    /// of a connection are not safe for that: each is authorized.</summary>
    public static Task RememberAsync(HttpContext http, RequestDelegate next)
    {
        var authorization = http.Request.Headers.Authorization.ToString();
        if (HttpProtocol.IsHttp11(http.Request.Protocol) && authorization.Length > 0 && Credential.Of(http.User) is { } credential && http.Features.Get<IConnectionItemsFeature>()?.Items is { } items)
        {
            items[Admitted] = new Known(authorization, credential);
        }

        return next(http);
    }

    /// <summary>Answers 403 to tokens of owners at what is not made for them: only what is marked is.</summary>
    public static Task RefuseOwnersAsync(HttpContext http, RequestDelegate next) =>
        http.Caller().Owner is { } owner && http.GetEndpoint() is { Metadata: var metadata }
            && metadata.GetMetadata<Operation>() is not { IsShared: false } && metadata.GetMetadata<ForOwners>() is null && metadata.GetMetadata<IAllowAnonymous>() is null
            ? Problems.WriteAsync(http, null, Refusal.OperatorNeeded(owner)).AsTask()
            : next(http);

    private static Known? KnownOf(HttpContext http) =>
        http.Features.Get<IConnectionItemsFeature>()?.Items.TryGetValue(Admitted, out var known) == true ? (Known?)known : null;

    private static bool IsSame(string known, string sent) =>
        ReferenceEquals(known, sent) || CryptographicOperations.FixedTimeEquals(MemoryMarshal.AsBytes(known.AsSpan()), MemoryMarshal.AsBytes(sent.AsSpan()));

    private sealed record Known(string Authorization, Credential Credential);
}

/// <summary>The role that an endpoint requires; without one it is viewer.</summary>
internal sealed class RequiredRole : AuthorizeAttribute
{
    private static readonly RequiredRole[] All = [.. Enum.GetValues<Role>().Select(static role => new RequiredRole(role))];

    private RequiredRole(Role role)
        : base(role.Name()) => Role = role;

    /// <summary>The role.</summary>
    public Role Role { get; }

    /// <summary>The metadata of an endpoint that requires this role.</summary>
    public static RequiredRole For(Role role) => All[(int)role];

    /// <summary>The role that the request's endpoint requires.</summary>
    public static Role Of(HttpContext http) => http.GetEndpoint() is not { Metadata: var metadata } ? Role.Viewer
        : metadata.GetMetadata<IAllowAnonymous>() is not null ? Role.None : metadata.GetMetadata<RequiredRole>()?.Role ?? Role.Viewer;
}

/// <summary>Marks endpoints that answer without a token, because they contain nothing to protect: health, and the files of the web page.</summary>
internal sealed class WithoutToken : IAllowAnonymous
{
    /// <summary>The one there is.</summary>
    public static readonly WithoutToken Instance = new();

    private WithoutToken()
    {
    }
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

    /// <summary>Adds authentication by token and a policy for each role.</summary>
    public static void AddAccessControl(this IServiceCollection services, HttpOptions options)
    {
        services.AddSingleton(new CredentialStore(options.Token, options.Tokens));
        services.AddSingleton<WrongTokenLimit>();
        services.AddSingleton(UrlEncoder.Default);
        services.AddTransient<TokenAuthentication>();
        services.AddAuthenticationCore(static authentication => authentication.AddScheme<TokenAuthentication>(TokenAuthentication.SchemeName, null));
        services.AddAuthorization(static authorization =>
        {
            foreach (var (name, role) in Roles.ByName)
            {
                authorization.AddPolicy(name, policy => policy.AddAuthenticationSchemes(TokenAuthentication.SchemeName)
                    .RequireAssertion(caller => Security.Credential.Of(caller.User)?.Role >= role));
            }

            authorization.FallbackPolicy = authorization.GetPolicy(Security.Role.Viewer.Name());
        });

        // AccessControl decides for the callers that it knows, without the middleware
        services.Configure<RouteOptions>(static routing => routing.SuppressCheckForUnhandledSecurityMetadata = true);
    }

    /// <summary>Adds the checks to the pipeline.</summary>
    public static void UseAccessControl(this WebApplication app)
    {
        // otherwise WebApplication adds both for every request, before anything else
        IDictionary<string, object?> properties = ((IApplicationBuilder)app).Properties;
        properties["__AuthenticationMiddlewareSet"] = properties["__AuthorizationMiddlewareSet"] = true;
        var access = new AccessControl(app.Services.GetRequiredService<CredentialStore>());
        app.Use(access.RefuseOthersAsync);
        app.UseWhen(access.MustAuthorize, branch =>
        {
            branch.UseAuthorization();
            branch.Use(AccessControl.RememberAsync);
        });
        app.Use(AccessControl.RefuseOwnersAsync);
    }
}
