using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Who a limit per caller counts for: a remote address, as far as one caller cannot choose another one at will.</summary>
internal static class CallerAddress
{
    private const int PrefixBytes = 8;

    /// <summary>The caller's address. All loopback addresses are one caller, and so are all addresses of an IPv6 /64 network.</summary>
    public static IPAddress Of(HttpContext http) => Of(http.Connection.RemoteIpAddress);

    /// <summary>As above, for an address; without one, this machine.</summary>
    public static IPAddress Of(IPAddress? address)
    {
        if (address?.IsIPv4MappedToIPv6 == true)
        {
            address = address.MapToIPv4();
        }

        if (address is null || IPAddress.IsLoopback(address))
        {
            return IPAddress.Loopback;
        }

        if (address.AddressFamily != AddressFamily.InterNetworkV6)
        {
            return address;
        }

        var bytes = address.GetAddressBytes();
        bytes.AsSpan(PrefixBytes).Clear();
        return new IPAddress(bytes);
    }
}
