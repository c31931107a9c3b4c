using System.Net;

namespace MgbaBridge.Fleet.Links;

/// <summary>How gateways reach the scripts of a host.</summary>
/// <param name="Server">Accepts their connections; null when they are on this machine.</param>
/// <param name="Address">Where.</param>
/// <param name="Port">The port there, or 0 for the scripts' own ports on loopback.</param>
public sealed record NodeLinks(LinkServer? Server, string Address, int Port) : IAsyncDisposable
{
    /// <summary>Ports from <c>Fleet:ListenPort</c> on that the jobs of an engine may use: each of those on a machine takes one.</summary>
    public const int PortsOfJobs = 1_000;

    /// <summary>Begins to listen, if there are certificates.</summary>
    /// <exception cref="FleetLinkException">It cannot listen at the address and port of the settings.</exception>
    public static NodeLinks Start(FleetOptions options, LinkCertificates? certificates, TimeProvider time, ILogger logger, int ports = 1)
    {
        if (certificates is null)
        {
            return new NodeLinks(null, IPAddress.Loopback.ToString(), 0);
        }

        var server = new LinkServer(certificates, time, logger);
        var port = server.Start(IPAddress.Parse(options.ListenAddress), options.ListenPort, ports);
        return new NodeLinks(server, string.IsNullOrEmpty(options.AdvertisedAddress) ? Environment.MachineName : options.AdvertisedAddress, port);
    }

    public ValueTask DisposeAsync() => Server?.DisposeAsync() ?? ValueTask.CompletedTask;
}

/// <summary>How a gateway connects to hosts on other machines.</summary>
/// <param name="Certificates">By which they know each other; null when all are on this machine.</param>
public sealed record RouteLinks(LinkCertificates? Certificates);
