using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using BenchmarkDotNet.Attributes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>The cost of a small read in this process: the exchange alone, through HTTP, and a constant answer of the same server.</summary>
[MemoryDiagnoser(displayGenColumns: false)]
[SuppressMessage("Design", "CA1001", Justification = "GlobalCleanup disposes.")]
public class AllocationBenchmarks
{
    private const int Turns = 1_000;

    private EmulatorClient? _client;
    private RawHttpClient? _read;
    private RawHttpClient? _plaintext;

    /// <summary>The script's port.</summary>
    public static int EmulatorPort { get; set; }

    /// <summary>The port of the gateway in this process.</summary>
    public static int HttpPort { get; set; }

    [GlobalSetup]
    public void Open()
    {
        _client = new EmulatorClient(
            "bench", new EmulatorAddress { Port = EmulatorPort }, new TransportSettings(new TransportOptions()), TimeProvider.System, MemoryPool<byte>.Shared, NullLogger.Instance);
        _read = new RawHttpClient(HttpPort, RawHttpClient.SmallRead);
        _plaintext = new RawHttpClient(HttpPort, "/plaintext");
    }

    [GlobalCleanup]
    public async Task CloseAsync()
    {
        _read!.Dispose();
        _plaintext!.Dispose();
        await _client!.DisposeAsync();
    }

    [Benchmark(OperationsPerInvoke = Turns, Description = "the exchange")]
    public async Task ExchangeAsync()
    {
        var command = new ReadCell(Location.Bus(0x02000008), CellWidth.Word);
        for (var turn = 0; turn < Turns; turn++)
        {
            using var reply = await _client!.SendAsync(command);
            if (reply.Failure is not null)
            {
                throw new InvalidOperationException(reply.Failure.Detail);
            }
        }
    }

    [Benchmark(OperationsPerInvoke = Turns, Description = "HTTP, a small read")]
    public void Read() => Send(_read!);

    [Benchmark(OperationsPerInvoke = Turns, Baseline = true, Description = "HTTP, plaintext")]
    public void Plaintext() => Send(_plaintext!);

    private static void Send(RawHttpClient client)
    {
        for (var turn = 0; turn < Turns; turn++)
        {
            client.Send();
        }
    }
}
