using System.Buffers;
using System.Net.NetworkInformation;
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
    // above the range of owned emulators, and below that of ScriptPorts
    private const int FirstPort = 28_888;
    private const int PortGroups = 380;
    private const int PortsOfGroup = 5;

    // other test programs on this machine choose ports at the same moment
    private static int _portGroup = Random.Shared.Next(PortGroups);

    /// <summary>The options of tests on the machine's clock that are not about a time limit: a busy machine stops a process for longer than the defaults allow.</summary>
    public static TransportOptions Patient { get; } = new()
    {
        SilenceTimeout = TimeSpan.FromSeconds(30),
        RequestTimeout = TimeSpan.FromMinutes(1),
        WaitTimeout = TimeSpan.FromSeconds(30),
        ConnectTimeout = TimeSpan.FromSeconds(30),
        CloseTimeout = TimeSpan.FromSeconds(10),
        HeartbeatInterval = TimeSpan.FromMinutes(10), // they count among the requests that wait
    };

    /// <summary>A client with these options; without any it is <see cref="Patient"/>, or has the defaults when the test has a clock.</summary>
    public static EmulatorClient To(int port, TransportOptions? options = null, TimeProvider? time = null, string? secret = null, string? nonce = null, HostLease? lease = null) => new(
        "1",
        new EmulatorAddress { Port = port, Secret = secret, Nonce = nonce },
        new TransportSettings(options ?? (time is null ? Patient : new TransportOptions())),
        time ?? TimeProvider.System,
        MemoryPool<byte>.Shared,
        NullLogger.Instance)
    { Lease = lease };

    public static EmulatorClient To(FakeScript fake, TransportOptions? options = null, TimeProvider? time = null, HostLease? lease = null) => To(fake.Port, options, time, lease: lease);

    /// <summary>A client whose connections are all open.</summary>
    public static async Task<EmulatorClient> ReadyAsync(FakeScript fake, TransportOptions? options = null, TimeProvider? time = null)
    {
        var client = To(fake, options, time);
        await Eventually.Is(() => client.Connections == (options ?? Patient).MinConnections && client.Health.State == EmulatorState.Ready);
        return client;
    }

    /// <summary>A port on which nothing listens, for TCP or UDP. The four ports behind it are not given to others either.</summary>
    public static int FreePort()
    {
        var properties = IPGlobalProperties.GetIPGlobalProperties();
        var used = properties.GetActiveTcpListeners().Concat(properties.GetActiveUdpListeners()).Select(endPoint => endPoint.Port).ToHashSet();
        for (var tried = 0; tried < PortGroups; tried++)
        {
            var port = FirstPort + (Interlocked.Increment(ref _portGroup) % PortGroups * PortsOfGroup);
            if (!used.Contains(port))
            {
                return port;
            }
        }

        throw new InvalidOperationException("All ports for tests are in use.");
    }

    public static Echo Echo(string text) => new(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(text)));

    public static ReadCell ReadByte(long address) => new(Location.Bus(address), CellWidth.Byte);

    public static WriteCell WriteByte(long address, byte value) => new(Location.Bus(address), CellWidth.Byte, value);
}
