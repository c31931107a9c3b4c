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
    /// <summary>The options of tests on the machine's clock that are not about a time limit: a busy machine stops a process for longer than the defaults allow.</summary>
    public static TransportOptions Patient { get; } = new()
    {
        SilenceTimeout = TimeSpan.FromSeconds(30),
        RequestTimeout = TimeSpan.FromMinutes(1),
        WaitTimeout = TimeSpan.FromSeconds(30),
        ConnectTimeout = TimeSpan.FromSeconds(30),
        CloseTimeout = TimeSpan.FromSeconds(10),
    };

    /// <summary>A client with these options; without any it is <see cref="Patient"/>, or has the defaults when the test has a clock.</summary>
    public static EmulatorClient To(int port, TransportOptions? options = null, TimeProvider? time = null, string? secret = null, string? nonce = null, EffectLease? lease = null) => new(
        "1",
        new EmulatorAddress { Port = port, Secret = secret, Nonce = nonce },
        new TransportSettings(options ?? (time is null ? Patient : new TransportOptions())),
        time ?? TimeProvider.System,
        MemoryPool<byte>.Shared,
        NullLogger.Instance)
    { Lease = lease };

    public static EmulatorClient To(FakeScript fake, TransportOptions? options = null, TimeProvider? time = null, EffectLease? lease = null) => To(fake.Port, options, time, lease: lease);

    /// <summary>A client whose connections are all open.</summary>
    public static async Task<EmulatorClient> ReadyAsync(FakeScript fake, TransportOptions? options = null, TimeProvider? time = null)
    {
        var client = To(fake, options, time);
        await Eventually.Is(() => client.Connections == (options ?? Patient).MinConnections && client.Health.State == EmulatorState.Ready);
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
