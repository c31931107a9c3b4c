using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Benchmark;

/// <summary>
/// Measures the gateway beside the baseline script on this machine. Each runs with an emulator of its own, one after the other, as processes of their
/// own, with the bundled test game.
/// </summary>
internal sealed class MachineBenchmark : IAsyncDisposable
{
    /// <summary>The connections of the second load.</summary>
    public const int Many = 64;

    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(30);

    private readonly TemporaryPrograms _programs;
    private readonly string _headless;
    private EmulatorProcess? _emulator;
    private Process? _gateway;

    private MachineBenchmark(TemporaryPrograms programs, string headless) => (_programs, _headless) = (programs, headless);

    /// <summary>Prepares a measurement.</summary>
    /// <exception cref="BenchmarkException">mgba-headless is missing.</exception>
    public static MachineBenchmark Create()
    {
        var programs = new TemporaryPrograms("mgba-bridge-bench-");
        if (programs.Programs.Headless is { } headless)
        {
            return new MachineBenchmark(programs, headless);
        }

        programs.Dispose();
        throw new BenchmarkException($"There is nothing to measure: {programs.Programs.Missing(window: false)}");
    }

    /// <summary>Measures; a quarter of the time each: the baseline and the gateway, with one client and with many.</summary>
    public async Task<IReadOnlyList<BenchmarkRow>> RunAsync(TimeSpan length, CancellationToken cancelled)
    {
        var baseline = await MeasureAsync(StartBaselineAsync, BenchmarkProtocol.Baseline, length / 4, cancelled);
        var gateway = await MeasureAsync(StartGatewayAsync, BenchmarkProtocol.Http, length / 4, cancelled);
        return [new BenchmarkRow(1, baseline.One, gateway.One), new BenchmarkRow(Many, baseline.Many, gateway.Many)];
    }

    public async ValueTask DisposeAsync()
    {
        await EndAsync();
        _programs.Dispose();
    }

    private async Task<(BenchmarkResult One, BenchmarkResult Many)> MeasureAsync(
        Func<CancellationToken, Task<int>> start, BenchmarkProtocol protocol, TimeSpan length, CancellationToken cancelled)
    {
        var load = new BenchmarkLoad(new IPEndPoint(IPAddress.Loopback, await start(cancelled)), protocol);
        try
        {
            return (await load.RunAsync(1, length, cancelled), await load.RunAsync(Many, length, cancelled));
        }
        catch (Exception exception) when (exception is SocketException or IOException)
        {
            throw new BenchmarkException($"The measurement ended early: {exception.Message}");
        }
        finally
        {
            await EndAsync();
        }
    }

    private async Task<int> StartBaselineAsync(CancellationToken cancelled)
    {
        var port = EmulatorLauncher.FreePort();
        var said = "";
        var launch = new EmulatorLaunch(_headless, _programs.Data.WriteResource("mgba-bridge-test.gba"), new EmulatorOptions())
        {
            Scripts = [_programs.Data.WriteResource("baseline.lua")],
            Environment = new Dictionary<string, string> { ["MGBA_BRIDGE_PORT"] = port.ToString(CultureInfo.InvariantCulture) },
        };
        _emulator = Start(_headless, () => EmulatorProcess.Start(launch, line => said = line));
        await UntilAsync(_headless, () => !EmulatorLauncher.IsFree(port), _emulator.Exited, () => Task.FromResult(said), cancelled);
        return port;
    }

    private async Task<int> StartGatewayAsync(CancellationToken cancelled)
    {
        string[] arguments = ["run", "--port", "0", "--json", $"--contentRoot={_programs.Folder}", $"--Bridge:Owned:DataFolder={_programs.Folder}", $"--Bridge:Owned:HeadlessProgram={_headless}"];
        var program = Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "mgba-bridge" ? Environment.ProcessPath! : null;
        var start = program is null
            ? new ProcessStartInfo("dotnet", [Path.Combine(AppContext.BaseDirectory, "mgba-bridge.dll"), .. arguments])
            : new ProcessStartInfo(program, arguments);
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("Bridge__", StringComparison.OrdinalIgnoreCase) || name == "ASPNETCORE_URLS").ToArray())
        {
            start.Environment.Remove(name);
        }

        start.RedirectStandardInput = start.RedirectStandardOutput = start.RedirectStandardError = true;
        var gateway = _gateway = Start(start.FileName, () => Process.Start(start)!);
        var said = gateway.StandardError.ReadToEndAsync(CancellationToken.None); // nobody may leave it unread
        string? report = null;
        gateway.OutputDataReceived += (_, line) => report ??= line.Data;
        gateway.BeginOutputReadLine();
        await UntilAsync(start.FileName, () => report is not null, EndOfAsync(gateway), () => said, cancelled);
        return JsonSerializer.Deserialize(report!, RunReportJson.Default.RunReport)!.Port;
    }

    private static T Start<T>(string program, Func<T> start)
    {
        try
        {
            return start();
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            throw new BenchmarkException($"{program} cannot be started: {exception.Message}.");
        }
    }

    private static async Task<int> EndOfAsync(Process process)
    {
        await process.WaitForExitAsync();
        return process.ExitCode;
    }

    private static async Task UntilAsync(string program, Func<bool> condition, Task<int> ended, Func<Task<string>> said, CancellationToken cancelled)
    {
        for (var since = TimeProvider.System.GetTimestamp(); !condition();)
        {
            if (ended.IsCompleted)
            {
                var output = (await said().WaitAsync(cancelled)).Trim();
                throw new BenchmarkException($"{Path.GetFileName(program)} ended: {(await ended < Programs.LibraryMissing ? output : $"{Programs.ReasonOf(await ended, window: false, output)}.")}");
            }

            if (TimeProvider.System.GetElapsedTime(since) > StartTimeout)
            {
                throw new BenchmarkException($"{Path.GetFileName(program)} did not start within {StartTimeout.TotalSeconds} s.");
            }

            await Task.Delay(20, cancelled);
        }
    }

    // the emulators of the gateway end with their input
    private async Task EndAsync()
    {
        if (_emulator is { } emulator)
        {
            _emulator = null;
            await emulator.DisposeAsync();
        }

        if (_gateway is { } gateway)
        {
            _gateway = null;
            gateway.StandardInput.Close();
            if (!gateway.HasExited)
            {
                gateway.Kill(entireProcessTree: true);
                await gateway.WaitForExitAsync();
            }

            gateway.Dispose();
        }
    }
}

/// <summary>A measurement is not possible.</summary>
internal sealed class BenchmarkException(string message) : Exception(message);

/// <summary>One load, on both.</summary>
/// <param name="Connections">How many connections.</param>
/// <param name="Baseline">What the baseline script reached.</param>
/// <param name="Gateway">What the gateway reached.</param>
internal sealed record BenchmarkRow(int Connections, BenchmarkResult Baseline, BenchmarkResult Gateway);

/// <summary>What one of them reached.</summary>
/// <param name="Rate">Requests a second.</param>
/// <param name="P50">The median time of a request in ms.</param>
/// <param name="P99">The 99th percentile in ms.</param>
/// <param name="Frames">Frames a second of the game meanwhile.</param>
internal sealed record BenchmarkResult(double Rate, double P50, double P99, double Frames);

/// <summary>How a request is written, and how its response is read. Both contain the frame.</summary>
/// <param name="Request">The request.</param>
/// <param name="LengthOf">The length of the first response in these bytes; 0 when it is not complete.</param>
/// <param name="FrameOf">The frame in a response.</param>
internal sealed record BenchmarkProtocol(byte[] Request, Func<ReadOnlySpan<byte>, int> LengthOf, Func<ReadOnlySpan<byte>, long> FrameOf)
{
    /// <summary>That of the baseline script.</summary>
    public static BenchmarkProtocol Baseline { get; } = new(
        Encoding.ASCII.GetBytes("core.currentFrame<|END|>"),
        static bytes => bytes.IndexOf("<|END|>"u8) is >= 0 and var end ? end + "<|END|>".Length : 0,
        static bytes => Number(bytes));

    /// <summary>That of the gateway: a read of the frame counter of the test game.</summary>
    public static BenchmarkProtocol Http { get; } = new(
        Encoding.ASCII.GetBytes("GET /v2/memory/0x02000008/u32 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
        static bytes => bytes.IndexOf("\r\n\r\n"u8) is >= 0 and var end && Length(bytes[..end]) is var length && bytes.Length >= end + 4 + length ? end + 4 + length : 0,
        static bytes => bytes.StartsWith("HTTP/1.1 200"u8) ? Number(bytes[(bytes.IndexOf("\"frame\":"u8) + "\"frame\":".Length)..]) : throw new IOException("the gateway did not answer with 200"));

    private static int Length(ReadOnlySpan<byte> head)
    {
        var at = head.IndexOf("Content-Length: "u8);
        return at < 0 ? 0 : (int)Number(head[(at + "Content-Length: ".Length)..]);
    }

    private static long Number(ReadOnlySpan<byte> bytes)
    {
        var number = 0L;
        foreach (var digit in bytes)
        {
            if (!char.IsAsciiDigit((char)digit))
            {
                break;
            }

            number = (number * 10) + digit - '0';
        }

        return number;
    }
}
