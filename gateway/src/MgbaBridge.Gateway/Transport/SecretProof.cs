using System.Security.Cryptography;
using System.Text;

namespace MgbaBridge.Gateway.Transport;

/// <summary>Shows that the gateway knows the secret without sending it.</summary>
public static class SecretProof
{
    /// <summary>The HMAC-SHA-256 of the challenge's text under the secret, in lower-case hex.</summary>
    public static string For(string secret, string challenge) =>
        Convert.ToHexStringLower(HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), Encoding.UTF8.GetBytes(challenge)));
}
