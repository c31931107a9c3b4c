using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>A model in a process of its own, seen from the clients' side.</summary>
internal sealed class ServerProcess : IDisposable
{
    private readonly Process _process;

    public ServerProcess(string model, int threads)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardInput = true, RedirectStandardOutput = true };
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
        {
            start.ArgumentList.Add(typeof(ServerProcess).Assembly.Location);
        }
        foreach (var argument in new[] { "model-server", "--model", model, "--threads", threads.ToString(CultureInfo.InvariantCulture) })
        {
            start.ArgumentList.Add(argument);
        }
        _process = Process.Start(start) ?? throw new WireException($"the {model} server did not start");
        Port = int.TryParse(_process.StandardOutput.ReadLine(), out var port) ? port : throw new WireException($"the {model} server did not start");
    }

    public int Port { get; }

    public double CpuSeconds => ProcessFigures.Of(_process.Id).CpuSeconds;

    /// <summary>A line of /proc/PID/status, such as VmPeak or Threads.</summary>
    public long Status(string name)
    {
        var line = File.ReadLines($"/proc/{_process.Id}/status").First(line => line.StartsWith(name + ":", StringComparison.Ordinal));
        return long.Parse(line[(name.Length + 1)..].Replace("kB", "", StringComparison.Ordinal).Trim(), CultureInfo.InvariantCulture);
    }

    public ServerFigures Figures()
    {
        _process.StandardInput.WriteLine();
        _process.StandardInput.Flush();
        var line = _process.StandardOutput.ReadLine() ?? throw new WireException("the server has died");
        return JsonSerializer.Deserialize<ServerFigures>(line, WireCommand.Json)!;
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
}
