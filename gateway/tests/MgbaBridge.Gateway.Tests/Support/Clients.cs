using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.FakeEmulator;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Clients for tests with the fake emulator.</summary>
internal static class Clients
{
    public static EmulatorClient To(int port, TransportOptions? options = null, TimeProvider? time = null, string? secret = null, string? nonce = null, EffectLease? lease = null) => new(
        "1",
        new EmulatorAddress { Port = port, Secret = secret, Nonce = nonce },
        new TransportSettings(options ?? new TransportOptions()),
        time ?? TimeProvider.System,
        MemoryPool<byte>.Shared,
        NullLogger.Instance)
    { Lease = lease };

    public static EmulatorClient To(FakeScript fake, TransportOptions? options = null, TimeProvider? time = null, EffectLease? lease = null) => To(fake.Port, options, time, lease: lease);

    /// <summary>A client whose connections are all open.</summary>
    public static async Task<EmulatorClient> ReadyAsync(FakeScript fake, TransportOptions? options = null, TimeProvider? time = null)
    {
        options ??= new TransportOptions();
        var client = To(fake, options, time);
        await Eventually.Is(() => client.Connections == options.MinConnections && client.Health.State == EmulatorState.Ready);
        return client;
    }

    /// <summary>A port on which nothing listens.</summary>
    public static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    public static Echo Echo(string text) => new(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(text)));

    public static ReadCell ReadByte(long address) => new(Location.Bus(address), CellWidth.Byte);

    public static WriteCell WriteByte(long address, byte value) => new(Location.Bus(address), CellWidth.Byte, value);
}
