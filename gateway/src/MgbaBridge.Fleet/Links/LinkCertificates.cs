using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace MgbaBridge.Fleet.Links;

/// <summary>
/// How gateways and hosts on different machines know each other: both sides show a certificate that the fleet's own authority has signed. The names
/// in certificates are not compared: who has one belongs to the fleet.
/// </summary>
public sealed class LinkCertificates : IDisposable
{
    private const string ServerUse = "1.3.6.1.5.5.7.3.1";
    private const string ClientUse = "1.3.6.1.5.5.7.3.2";

    // of what follows the handshake; another one of a later version is refused by the handshake
    private static readonly SslApplicationProtocol Protocol = new("mgba-bridge-link-1");

    private readonly X509Certificate2 _own;
    private readonly X509Certificate2Collection _others;
    private readonly X509Certificate2Collection _authorities;
    private readonly SslStreamCertificateContext _shown;

    private LinkCertificates(X509Certificate2 own, X509Certificate2Collection others, X509Certificate2Collection authorities)
    {
        (_own, _others, _authorities) = (own, others, authorities);
        _shown = SslStreamCertificateContext.Create(own, others, offline: true);
    }

    /// <summary>Reads the files that the settings name; null when they name none.</summary>
    /// <exception cref="FleetLinkException">A file is missing or wrong, or its certificate would be refused by the others.</exception>
    public static LinkCertificates? Read(FleetOptions options)
    {
        if (string.IsNullOrEmpty(options.Certificate))
        {
            return null;
        }

        X509Certificate2Collection others = [], authorities = [];
        var own = ReadFile(nameof(FleetOptions.Certificate), () =>
        {
            using var read = X509Certificate2.CreateFromPemFile(options.Certificate, string.IsNullOrEmpty(options.CertificateKey) ? null : options.CertificateKey);
            others.ImportFromPemFile(options.Certificate);
            others.RemoveAt(0); // the certificate itself; the others are those between it and the authority
            return X509CertificateLoader.LoadPkcs12(read.Export(X509ContentType.Pkcs12), null); // a key that every platform can use
        });
        ReadFile(nameof(FleetOptions.CertificateAuthority), () =>
        {
            authorities.ImportFromPemFile(options.CertificateAuthority ?? "");
            return authorities.Count > 0 ? authorities : throw new CryptographicException("it contains no certificate");
        });
        var certificates = new LinkCertificates(own, others, authorities);
        certificates.CheckOwn(options.RunSessions ? ServerUse : ClientUse);
        return certificates;
    }

    /// <summary>Authenticates both sides of a connection that this side accepted.</summary>
    /// <exception cref="AuthenticationException">The other side has no certificate of the fleet.</exception>
    public async Task AcceptAsync(SslStream stream, CancellationToken cancellationToken)
    {
        await stream.AuthenticateAsServerAsync(
            new SslServerAuthenticationOptions
            {
                ServerCertificateContext = _shown,
                ClientCertificateRequired = true,
                CertificateChainPolicy = Policy(),
                EnabledSslProtocols = SslProtocols.Tls13 | SslProtocols.Tls12,
                ApplicationProtocols = [Protocol],
                AllowRenegotiation = false,
                AllowTlsResume = false, // each connection shows its certificate
                RemoteCertificateValidationCallback = static (_, certificate, _, errors) => certificate is not null && errors == SslPolicyErrors.None,
            },
            cancellationToken);
        CheckProtocol(stream);
    }

    /// <summary>Authenticates both sides of a connection that this side opened.</summary>
    /// <exception cref="AuthenticationException">The other side has no certificate of the fleet.</exception>
    public async Task ConnectAsync(SslStream stream, string host, CancellationToken cancellationToken)
    {
        await stream.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions
            {
                TargetHost = host,
                ClientCertificateContext = _shown,
                CertificateChainPolicy = Policy(),
                EnabledSslProtocols = SslProtocols.Tls13 | SslProtocols.Tls12,
                ApplicationProtocols = [Protocol],
                AllowRenegotiation = false,
                AllowTlsResume = false,
                RemoteCertificateValidationCallback = static (_, certificate, _, errors) =>
                    certificate is not null && (errors & ~SslPolicyErrors.RemoteCertificateNameMismatch) == SslPolicyErrors.None,
            },
            cancellationToken);
        CheckProtocol(stream);
    }

    public void Dispose()
    {
        _own.Dispose();
        foreach (var certificate in _others.Concat(_authorities))
        {
            certificate.Dispose();
        }
    }

    private static T ReadFile<T>(string setting, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            throw new FleetLinkException($"Bridge:Fleet:{setting} cannot be used: {exception.Message.TrimEnd('.')}. Expected a file in PEM format (docs/fleet.md, section \"Several machines\").", exception);
        }
    }

    private static void CheckProtocol(SslStream stream)
    {
        if (stream.NegotiatedApplicationProtocol != Protocol)
        {
            throw new AuthenticationException("The other side is not a gateway or host of a fleet.");
        }
    }

    /// <summary>What is refused is refused at the start, and not by each host or gateway later.</summary>
    private void CheckOwn(string use)
    {
        using var chain = new X509Chain { ChainPolicy = Policy() };
        chain.ChainPolicy.ExtraStore.AddRange(_others);
        chain.ChainPolicy.ApplicationPolicy.Add(new Oid(use));
        if (!chain.Build(_own))
        {
            var reasons = string.Join(" ", chain.ChainStatus.Select(status => status.StatusInformation.Trim()).Distinct());
            Dispose();
            throw new FleetLinkException($"Bridge:Fleet:Certificate would be refused by the other machines of the fleet, which trust Bridge:Fleet:CertificateAuthority: {reasons}");
        }
    }

    // the handshake adds to it what the certificate is used for
    private X509ChainPolicy Policy()
    {
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck, DisableCertificateDownloads = true };
        policy.CustomTrustStore.AddRange(_authorities);
        return policy;
    }
}

/// <summary>A link between machines cannot be made.</summary>
public sealed class FleetLinkException(string message, Exception? inner = null) : Exception(message, inner);
