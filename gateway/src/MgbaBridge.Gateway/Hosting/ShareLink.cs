using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using QRCoder;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>The address that <c>mgba-bridge run --share</c> gives to other people of the local network: the page with a token for guests.</summary>
internal static class ShareLink
{
    /// <summary>The configuration key with the token.</summary>
    public const string Key = "Run:Share";

    /// <summary>The address of this machine in the local network, and the port at which the gateway listens; null without a network.</summary>
    public static string? UrlFor(string listening, string token) => LocalNetworkAddress() is { } address && Uri.TryCreate(listening, UriKind.Absolute, out var url)
        ? PageOf(string.Create(CultureInfo.InvariantCulture, $"http://{address}:{url.Port}"), token)
        : null;

    /// <summary>The page of a gateway with a token. Browsers do not send what is behind the #.</summary>
    public static string PageOf(string address, string token) => $"{address}/#/play?token={token}";

    /// <summary>A text as a QR code of block characters, dark on light.</summary>
    public static string QrCode(string text)
    {
        using var code = QRCodeGenerator.GenerateQrCode(text, QRCodeGenerator.ECCLevel.L);
        using var drawing = new AsciiQRCode(code);
        return drawing.GetGraphicSmall(endOfLine: Environment.NewLine);
    }

    // an interface with a gateway leads to the network that other devices are in
    private static IPAddress? LocalNetworkAddress() => NetworkInterface.GetAllNetworkInterfaces()
        .Where(static one => one.OperationalStatus == OperationalStatus.Up && one.NetworkInterfaceType != NetworkInterfaceType.Loopback)
        .Select(static one => one.GetIPProperties())
        .OrderBy(static properties => properties.GatewayAddresses.Count == 0)
        .SelectMany(static properties => properties.UnicastAddresses)
        .Select(static unicast => unicast.Address)
        .FirstOrDefault(static address => address.AddressFamily == AddressFamily.InterNetwork && !IPAddress.IsLoopback(address));
}
