using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Gateway.Security;

/// <summary>
/// A token that is valid, or what applies instead while no token is set. The gateway knows only the SHA-256 of a token. It is the identity of the callers
/// that have the token.
/// </summary>
[SuppressMessage("Design", "CA1001:Types that own disposable fields should be disposable", Justification = "a source without a timer and without links holds nothing to release")]
internal sealed class Credential : ClaimsIdentity
{
    /// <summary>The format of a token in the settings.</summary>
    public const string Format = "role:hash or role:hash:owner, where role is viewer, guest, player or owner, hash the SHA-256 of the token in 64 hexadecimal digits, and owner that of sessions of a fleet, "
        + OwnerName.ExpectedFormat + "; mgba-bridge token makes one";

    private const int TokenBytes = 32;

    private readonly byte[] _hash;
    private readonly CancellationTokenSource _revoked = new();

    private Credential(Role role, byte[] hash, string? owner = null)
        : base([new Claim(ClaimTypes.Role, role.Name())], hash.Length == 0 ? "Local" : "Bearer")
    {
        (Caller, _hash) = (new Caller(role, owner), hash);
        Id = Convert.ToHexStringLower(hash.AsSpan(0, Math.Min(8, hash.Length)));
        Principal = new ClaimsPrincipal(this);
    }

    /// <summary>What its callers may do, and see.</summary>
    public Caller Caller { get; }

    /// <summary>What its callers may do.</summary>
    public Role Role => Caller.Role;

    /// <summary>The first digits of the hash; empty for no token.</summary>
    public string Id { get; }

    /// <summary>With whose end that ends which the requests of a guest hold over HTTP; null for others.</summary>
    public Holder? Owner { get; private init; }

    /// <summary>The SHA-256 of the token in hexadecimal digits.</summary>
    public string Hash => Convert.ToHexStringLower(_hash);

    /// <summary>Its callers as a principal, the same object for all of them.</summary>
    public ClaimsPrincipal Principal { get; }

    /// <summary>Cancelled when the token is no longer valid. What stays open for its callers ends then.</summary>
    public CancellationToken Revoked => _revoked.Token;

    /// <summary>The callers of this machine, while no token is set.</summary>
    public static Credential Local() => new(Role.Owner, []);

    /// <summary>A token in the settings as it is; it has the role owner.</summary>
    public static Credential OfToken(string token) => new(Role.Owner, HashOf(token));

    /// <summary>A new token.</summary>
    public static string NewToken() => RandomNumberGenerator.GetHexString(TokenBytes * 2, lowercase: true);

    /// <summary>The SHA-256 of a token.</summary>
    public static byte[] HashOf(string token) => SHA256.HashData(Encoding.UTF8.GetBytes(token));

    /// <summary>The token of a guest.</summary>
    public static Credential OfGuest(Role role, byte[] hash) => new(role, hash) { Owner = Holder.Unique("guest") };

    /// <summary>A token in the settings as <see cref="Format"/>.</summary>
    public static bool TryParse(string? setting, out Credential credential)
    {
        credential = null!;
        var hash = new byte[SHA256.HashSizeInBytes];
        if (setting?.Split(':') is not [var name, { Length: SHA256.HashSizeInBytes * 2 } digits, .. { Length: <= 1 } owner] || !Roles.ByName.TryGetValue(name, out var role)
            || Convert.FromHexString(digits, hash, out _, out _) != System.Buffers.OperationStatus.Done || !owner.All(OwnerName.IsValid))
        {
            return false;
        }

        credential = new Credential(role, hash, owner.FirstOrDefault());
        return true;
    }

    /// <summary>The setting for a token.</summary>
    public static string SettingOf(Role role, string token, string? owner = null) =>
        string.Create(CultureInfo.InvariantCulture, $"{role.Name()}:{Convert.ToHexStringLower(HashOf(token))}{(owner is null ? "" : $":{owner}")}");

    /// <summary>The credential of a principal, or null.</summary>
    public static Credential? Of(ClaimsPrincipal? user) => user?.Identity as Credential;

    /// <summary>Whether this is the hash, in a time that does not depend on how many digits are right.</summary>
    public bool Has(ReadOnlySpan<byte> hash) => CryptographicOperations.FixedTimeEquals(_hash, hash);

    /// <summary>Whether it is the same token with the same role and owner.</summary>
    public bool IsSameAs(Credential other) => Caller == other.Caller && Has(other._hash);

    /// <summary>The same token of a guest with another role.</summary>
    public Credential With(Role role) => OfGuest(role, _hash);

    /// <summary>Ends what is open for its callers.</summary>
    public void Revoke() => _revoked.Cancel();
}
