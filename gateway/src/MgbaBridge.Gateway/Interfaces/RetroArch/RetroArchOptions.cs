using System.Net;
using MgbaBridge.Client.Validation;
using MgbaBridge.Gateway.Interfaces.Doors;

namespace MgbaBridge.Gateway.Interfaces.RetroArch;

/// <summary>The server for clients of RetroArch's Network Control Interface, by UDP.</summary>
public sealed record RetroArchOptions() : DoorServerOptions(55_355)
{
    /// <summary>The addresses of other machines whose datagrams are answered. Without any, the server is at 127.0.0.1 only.</summary>
    [Addresses]
    public string[] Clients { get; set; } = [];
}

/// <summary>A list of IPv4 addresses.</summary>
internal sealed class AddressesAttribute : SettingAttribute
{
    private const int Max = 64;

    public override string Limits => $"up to {Max} IPv4 addresses";

    public override bool IsValid(object? value) => value is not string[] addresses
        || (addresses.Length <= Max && addresses.All(static text => IPAddress.TryParse(text, out var address) && address.AddressFamily == System.Net.Sockets.AddressFamily.InterNetwork));
}
