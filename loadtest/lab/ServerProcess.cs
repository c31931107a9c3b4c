using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace MgbaBridge.Lab;

/// <summary>Starts a server process of one model and reads its figures.</summary>
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
        foreach (var argument in new[] { "server", "--model", model, "--threads", threads.ToString(CultureInfo.InvariantCulture) })
        {
            start.ArgumentList.Add(argument);
        }
        _process = Process.Start(start) ?? throw new MeasurementException($"the {model} server did not start");
        Port = int.TryParse(_process.StandardOutput.ReadLine(), out var port) ? port : throw new MeasurementException($"the {model} server did not start");
    }

    public int Port { get; }

    public double CpuSeconds => ProcessUsage.Of(_process.Id).CpuSeconds;

    /// <summary>A value of /proc/PID/status, such as VmPeak or Threads.</summary>
    public long Status(string name)
    {
        var line = File.ReadLines($"/proc/{_process.Id}/status").First(line => line.StartsWith(name + ":", StringComparison.Ordinal));
        return long.Parse(line[(name.Length + 1)..].Replace("kB", "", StringComparison.Ordinal).Trim(), CultureInfo.InvariantCulture);
    }

    public ServerFigures Figures()
    {
        _process.StandardInput.WriteLine();
        _process.StandardInput.Flush();
        var line = _process.StandardOutput.ReadLine() ?? throw new MeasurementException("the server process ended");
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
}
