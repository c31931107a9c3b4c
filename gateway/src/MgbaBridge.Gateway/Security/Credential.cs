using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Text;

namespace MgbaBridge.Gateway.Security;

/// <summary>
/// A token that is valid, or what applies instead while no token is set. The gateway knows only the SHA-256 of a token. It is the identity of the callers
/// that have the token.
/// </summary>
[SuppressMessage("Design", "CA1001:Types that own disposable fields should be disposable", Justification = "a source without a timer and without links holds nothing to release")]
internal sealed class Credential : ClaimsIdentity
{
    /// <summary>The format of a token in the settings.</summary>
    public const string Format = "role:hash, where role is viewer, player or owner and hash the SHA-256 of the token in 64 hexadecimal digits; mgba-bridge token makes one";

    private readonly byte[] _hash;
    private readonly CancellationTokenSource _revoked = new();

    private Credential(Role role, byte[] hash)
        : base([new Claim(ClaimTypes.Role, role.Name())], hash.Length == 0 ? "Local" : "Bearer")
    {
        (Role, _hash) = (role, hash);
        Id = Convert.ToHexStringLower(hash.AsSpan(0, Math.Min(8, hash.Length)));
        Principal = new ClaimsPrincipal(this);
    }

    /// <summary>What its callers may do.</summary>
    public Role Role { get; }

    /// <summary>The first digits of the hash; empty for no token.</summary>
    public string Id { get; }

    /// <summary>Its callers as a principal, the same object for all of them.</summary>
    public ClaimsPrincipal Principal { get; }

    /// <summary>Cancelled when the token is no longer valid. What stays open for its callers ends then.</summary>
    public CancellationToken Revoked => _revoked.Token;

    /// <summary>The callers of this machine, while no token is set.</summary>
    public static Credential Local() => new(Role.Owner, []);

    /// <summary>A token in the settings as it is; it has the role owner.</summary>
    public static Credential OfToken(string token) => new(Role.Owner, HashOf(token));

    /// <summary>A token in the settings as <see cref="Format"/>.</summary>
    public static bool TryParse(string? setting, out Credential credential)
    {
        credential = null!;
        var colon = setting?.IndexOf(':', StringComparison.Ordinal) ?? -1;
        if (colon < 0 || !Roles.ByName.TryGetValue(setting![..colon], out var role) || setting.Length - colon - 1 != SHA256.HashSizeInBytes * 2)
        {
            return false;
        }

        var hash = new byte[SHA256.HashSizeInBytes];
        if (Convert.FromHexString(setting.AsSpan(colon + 1), hash, out _, out _) != System.Buffers.OperationStatus.Done)
        {
            return false;
        }

        credential = new Credential(role, hash);
        return true;
    }

    /// <summary>The setting for a token.</summary>
    public static string SettingOf(Role role, string token) => string.Create(CultureInfo.InvariantCulture, $"{role.Name()}:{Convert.ToHexStringLower(HashOf(token))}");

    /// <summary>The credential of a principal, or null.</summary>
    public static Credential? Of(ClaimsPrincipal? user) => user?.Identity as Credential;

    /// <summary>Whether this is the hash, in a time that does not depend on how many digits are right.</summary>
    public bool Has(ReadOnlySpan<byte> hash) => CryptographicOperations.FixedTimeEquals(_hash, hash);

    /// <summary>Whether it is the same token with the same role.</summary>
    public bool IsSameAs(Credential other) => Role == other.Role && Has(other._hash);

    /// <summary>Ends what is open for its callers.</summary>
    public void Revoke() => _revoked.Cancel();

    private static byte[] HashOf(string token) => SHA256.HashData(Encoding.UTF8.GetBytes(token));
}
