using System.Security.Cryptography;
using System.Text;

namespace MgbaBridge.FakeEmulator;

/// <summary>The far side's half of the proof.</summary>
internal static class FakeSecret
{
    public static bool Proves(string secret, string challenge, string proof)
    {
        using var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret));
        var expected = string.Concat(hmac.ComputeHash(Encoding.UTF8.GetBytes(challenge)).Select(value => value.ToString("x2", System.Globalization.CultureInfo.InvariantCulture)));
        return expected == proof;
    }
}
