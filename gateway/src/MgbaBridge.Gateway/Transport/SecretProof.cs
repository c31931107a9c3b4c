using System.Security.Cryptography;
using System.Text;

namespace MgbaBridge.Gateway.Transport;

/// <summary>One mutual authentication: both sides prove that they know the secret, over the challenges of both, without sending it.</summary>
/// <param name="secret">The secret.</param>
/// <param name="session">The session named in hello; a proof counts for this session only.</param>
internal sealed class SecretProof(string secret, string session)
{
    /// <summary>The fewest characters of a secret: a shorter one can be found offline from one recorded exchange.</summary>
    public const int ShortestSecret = 16;

    /// <summary>The gateway's challenge, new for each connection.</summary>
    public string Challenge { get; } = RandomNumberGenerator.GetHexString(32, lowercase: true);

    /// <summary>The gateway's proof: the answer to the script's challenge.</summary>
    public string ByClient(string challenge) => By("client", challenge);

    /// <summary>Whether this is the script's proof. The role in the text keeps a copy of the gateway's own proof from counting.</summary>
    public bool IsByScript(string challenge, string proof) =>
        CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(By("script", challenge)), Encoding.UTF8.GetBytes(proof));

    private string By(string role, string challenge) => Convert.ToHexStringLower(
        HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), Encoding.UTF8.GetBytes($"mgba-bridge {role} {Challenge} {challenge} {session}")));
}
