using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using MgbaBridge.Lab.Servers;

namespace MgbaBridge.Lab.Load;

/// <summary>A server in a process of its own, so that its processor time and memory are those of the server alone.</summary>
internal sealed class ServerProcess : IDisposable
{
    private readonly Process _process;

    public ServerProcess(string server, int count)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardInput = true, RedirectStandardOutput = true };
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
        {
            start.ArgumentList.Add(typeof(ServerProcess).Assembly.Location);
        }

        foreach (var argument in new[] { "serve", server, count.ToString(CultureInfo.InvariantCulture) })
        {
            start.ArgumentList.Add(argument);
        }

        _process = Process.Start(start) ?? throw new MeasurementException($"the server {server} did not start");
        Port = int.TryParse(_process.StandardOutput.ReadLine(), out var port) ? port : throw new MeasurementException($"the server {server} did not start");
    }

    public int Port { get; }
    public double CpuSeconds => ProcessUsage.Of(_process.Id).CpuSeconds;

    /// <summary>The most memory that it used, in MB.</summary>
    public double PeakMb => Status("VmHWM") / 1024.0;

    public long Threads => Status("Threads");

    /// <summary>`serve`: runs one server. Prints its port, and its figures for each line of input; ends with the input.</summary>
    public static int Serve(string name, int count)
    {
        if (!EchoServer.All.TryGetValue(name, out var create))
        {
            throw new MeasurementException($"unknown server {name}; the servers are {string.Join(", ", EchoServer.All.Keys)}");
        }

        var server = create(count);
        server.Start();
        Console.WriteLine(server.Port);
        while (Console.ReadLine() is not null)
        {
            Console.WriteLine(JsonSerializer.Serialize(new ServerFigures(server.Accepted, server.Echoed, GC.GetTotalAllocatedBytes(precise: true), server.Measured), Format.Json));
        }

        return 0;
    }

    public ServerFigures Figures()
    {
        _process.StandardInput.WriteLine();
        _process.StandardInput.Flush();
        var line = _process.StandardOutput.ReadLine() ?? throw new MeasurementException("the server ended");
        return JsonSerializer.Deserialize<ServerFigures>(line, Format.Json)!;
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(5000))
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private long Status(string name)
    {
        var line = File.ReadLines($"/proc/{_process.Id}/status").First(line => line.StartsWith(name + ":", StringComparison.Ordinal));
        return long.Parse(line[(name.Length + 1)..].Replace("kB", "", StringComparison.Ordinal).Trim(), CultureInfo.InvariantCulture);
    }
}

/// <summary>The figures of a server at one instant.</summary>
internal sealed record ServerFigures(IReadOnlyList<long> Accepted, long Echoed, long AllocatedBytes, string? Measured);
