using System.Net;
using System.Security.Cryptography;
using System.Text;

namespace MgbaBridge.Gateway.Endpoints.Conventions;

/// <summary>Lets in who knows the token. Without one nobody from another machine comes in, however the port was opened.</summary>
internal sealed class Tokens(HttpOptions options)
{
    /// <summary>What to do about it.</summary>
    public const string Needed = "A gateway that other machines can reach needs a token: set Bridge:Http:Token, which callers send as Authorization: Bearer ….";

    private const string Scheme = "Bearer ";
    private const string Health = "/healthz";

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

        // a browser asks beforehand without it, and who watches the process has none
        return Knows(http.Request.Headers.Authorization.ToString()) || HttpMethods.IsOptions(http.Request.Method) || http.Request.Path == Health
            ? next(http)
            : Refuse(http);
    }

    private static Task Refuse(HttpContext http)
    {
        http.Response.Headers.WWWAuthenticate = "Bearer";
        return Problems.UnauthorizedAsync(http, "Send the token of Bridge:Http:Token as Authorization: Bearer ….").AsTask();
    }

    // hashes have one length, and comparing them takes the same time however much is right
    private bool Knows(string authorization) => authorization.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase)
        && CryptographicOperations.FixedTimeEquals(_hash, SHA256.HashData(Encoding.UTF8.GetBytes(authorization[Scheme.Length..].Trim())));
}
