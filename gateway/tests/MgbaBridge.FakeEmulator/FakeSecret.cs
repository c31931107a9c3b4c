using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace MgbaBridge.FakeEmulator;

/// <summary>The far side's half of the authentication.</summary>
internal static class FakeSecret
{
    public static string Proof(string secret, string role, string client, string script, string session)
    {
        using var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret));
        var text = string.Join(' ', "mgba-bridge", role, client, script, session);
        return string.Concat(hmac.ComputeHash(Encoding.UTF8.GetBytes(text)).Select(value => value.ToString("x2", CultureInfo.InvariantCulture)));
    }
}
