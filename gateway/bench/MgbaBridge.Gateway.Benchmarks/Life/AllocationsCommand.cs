using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>`allocations`: bytes allocated per request, with the gateway in this process so that all of them are counted.</summary>
internal static class AllocationsCommand
{
    private const double MaxPerExchange = 1;
    private const double MaxPerRead = 1_024;

    public static int Run(string[] args)
    {
        var given = new Arguments(args);
        AllocationBenchmarks.EmulatorPort = given.Integer("port", 8888);
        AllocationBenchmarks.HttpPort = given.Integer("http-port", 5199);
        given.MustBeEmpty();
        StartGateway();
        var config = ManualConfig.CreateEmpty()
            .AddJob(Job.ShortRun.WithToolchain(InProcessNoEmitToolchain.Instance))
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .AddLogger(ConsoleLogger.Default)
            .AddExporter(MarkdownExporter.GitHub);
        var summary = BenchmarkRunner.Run<AllocationBenchmarks>(config);
        var bytes = summary.Reports.ToDictionary(
            report => report.BenchmarkCase.Descriptor.WorkloadMethod.Name, report => (double)(report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0));
        var (exchange, read) = (bytes[nameof(AllocationBenchmarks.ExchangeAsync)], bytes[nameof(AllocationBenchmarks.Read)]);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"exchange {exchange:0} bytes (goal 0), HTTP path of a small read {read:0} bytes (goal under 1024)"));
        return exchange < MaxPerExchange && read < MaxPerRead ? 0 : 1;
    }

    private static void StartGateway()
    {
        string[] settings =
        [
            string.Create(CultureInfo.InvariantCulture, $"--http-port={AllocationBenchmarks.HttpPort}"),
            string.Create(CultureInfo.InvariantCulture, $"--emulator-port={AllocationBenchmarks.EmulatorPort}"),
            "--Bridge:Http:Plaintext=true",
            "--Logging:LogLevel:Default=None",
            "--Logging:LogLevel:Microsoft.Hosting.Lifetime=None",
            $"--contentRoot={AppContext.BaseDirectory}",
        ];
        var main = typeof(EmulatorClient).Assembly.EntryPoint!;
        new Thread(() => main.Invoke(null, [settings])) { IsBackground = true }.Start();
        if (!GatewayProbe.Within(TimeSpan.FromSeconds(30), AllocationBenchmarks.HttpPort))
        {
            throw new MeasurementException("the gateway did not start");
        }
    }
}
