using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using QRCoder;

namespace MgbaBridge.Gateway.Operations.Guests;

/// <summary>The address of the page with a token, which other people open.</summary>
internal static class GuestLink
{
    /// <summary>The page of a gateway with a token. Browsers do not send what is behind the #.</summary>
    public static string Of(string address, string token) => $"{address.TrimEnd('/')}/#/play?token={token}";

    /// <summary>Where other machines reach a gateway that listens at these addresses; null when they cannot.</summary>
    /// <param name="listening">The addresses.</param>
    /// <param name="local">The address of this machine in the local network; null without a network.</param>
    public static string? AddressOf(IEnumerable<string> listening, IPAddress? local)
    {
        foreach (var text in listening)
        {
            if (Uri.TryCreate(text, UriKind.Absolute, out var url) && IPAddress.TryParse(url.Host.Trim('[', ']'), out var address) && !IPAddress.IsLoopback(address))
            {
                var isAny = address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);
                return !isAny ? url.GetLeftPart(UriPartial.Authority) : local is null ? null : string.Create(CultureInfo.InvariantCulture, $"http://{local}:{url.Port}");
            }
        }

        return null;
    }

    /// <summary>A text as a QR code of block characters, light on dark: a character is a module wide and two high.</summary>
    public static IReadOnlyList<string> QrCode(string text)
    {
        using var code = QRCodeGenerator.GenerateQrCode(text, QRCodeGenerator.ECCLevel.L);
        using var drawing = new AsciiQRCode(code);
        return drawing.GetGraphicSmall(endOfLine: "\n").Split('\n');
    }

    /// <summary>The address of this machine in the local network. An interface with a gateway leads to the network that other devices are in.</summary>
    public static IPAddress? LocalAddress() => NetworkInterface.GetAllNetworkInterfaces()
        .Where(static one => one.OperationalStatus == OperationalStatus.Up && one.NetworkInterfaceType != NetworkInterfaceType.Loopback)
        .Select(static one => one.GetIPProperties())
        .OrderBy(static properties => properties.GatewayAddresses.Count == 0)
        .SelectMany(static properties => properties.UnicastAddresses)
        .Select(static unicast => unicast.Address)
        .FirstOrDefault(static address => address.AddressFamily == AddressFamily.InterNetwork && !IPAddress.IsLoopback(address));
}
