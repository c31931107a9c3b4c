using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using MgbaBridge.Fleet;
using MgbaBridge.Fleet.Links;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>An authority of a fleet, and files of certificates: those that it signed, and those that must be refused.</summary>
internal sealed class LinkFiles : IDisposable
{
    private const string ServerUse = "1.3.6.1.5.5.7.3.1";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-links-");
    private readonly X509Certificate2 _authority = NewAuthority("fleet");
    private readonly X509Certificate2 _otherAuthority = NewAuthority("another fleet");

    /// <summary>Settings with a certificate of that kind; a name that is none of them is signed by the authority.</summary>
    public FleetOptions Options(string kind, bool runSessions)
    {
        using var certificate = Of(kind)!;
        using var key = certificate.GetECDsaPrivateKey()!;
        return new FleetOptions
        {
            RunSessions = runSessions,
            Certificate = Write($"{kind}.pem", certificate.ExportCertificatePem()),
            CertificateKey = Write($"{kind}.key", key.ExportPkcs8PrivateKeyPem()),
            CertificateAuthority = Write("authority.pem", _authority.ExportCertificatePem()),
        };
    }

    /// <summary>The same, read.</summary>
    public LinkCertificates Read(string name, bool runSessions) => LinkCertificates.Read(Options(name, runSessions))!;

    /// <summary>A certificate of that kind with its key; null for none.</summary>
    public X509Certificate2? Of(string kind)
    {
        if (kind == "none")
        {
            return null;
        }

        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={kind}", key, HashAlgorithmName.SHA256);
        if (kind == "for servers only")
        {
            request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(ServerUse)], critical: true));
        }

        var now = DateTimeOffset.UtcNow;
        var (from, until) = kind switch
        {
            "expired" => (now.AddHours(-3), now.AddHours(-2)),
            "not valid yet" => (now.AddHours(2), now.AddHours(3)),
            _ => (now.AddHours(-1), now.AddHours(1)),
        };
        if (kind == "signed by itself")
        {
            return request.CreateSelfSigned(from, until);
        }

        using var certificate = request.Create(kind == "other authority" ? _otherAuthority : _authority, from, until, RandomNumberGenerator.GetBytes(8));
        return certificate.CopyWithPrivateKey(key);
    }

    /// <summary>Writes a file and returns its path.</summary>
    public string Write(string name, string text)
    {
        var path = Path.Combine(_folder.FullName, name);
        File.WriteAllText(path, text);
        return path;
    }

    public void Dispose()
    {
        _authority.Dispose();
        _otherAuthority.Dispose();
        _folder.Delete(recursive: true);
    }

    private static X509Certificate2 NewAuthority(string name)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, pathLengthConstraint: 0, critical: true));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
