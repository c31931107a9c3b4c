using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;

namespace MgbaBridge.Gateway.Benchmarks.FrameBudget;

/// <summary>A headless emulator process.</summary>
internal sealed class EmulatorProcess : IDisposable
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(20);

    private readonly Process _process;
    private readonly BlockingCollection<string> _stats = [];
    private readonly TaskCompletionSource<int> _port = new();

    /// <summary>Starts the emulator; without a script when <paramref name="script"/> is null.</summary>
    public EmulatorProcess(string program, string rom, string saves, double fps, string? script)
    {
        var start = new ProcessStartInfo(program) { RedirectStandardError = true, RedirectStandardOutput = true };
        List<string> arguments = ["--stats", "0", "--saves", saves, "--fps", fps.ToString(CultureInfo.InvariantCulture), .. script is null ? [] : new[] { "--script", script }, "--", rom];
        arguments.ForEach(start.ArgumentList.Add);
        _process = Process.Start(start) ?? throw new MeasurementException($"{program} did not start");
        _process.ErrorDataReceived += (_, line) => Take(line.Data);
        _process.OutputDataReceived += (_, line) => Take(line.Data);
        _process.BeginErrorReadLine();
        _process.BeginOutputReadLine();
    }

    /// <summary>The port of its script.</summary>
    public int Port => _port.Task.Wait(Timeout) ? _port.Task.Result : throw new MeasurementException("the script did not start to listen");

    public EmulatorStats Stats()
    {
        var cpu = ProcessUsage.Of(_process.Id).CpuSeconds;
        _ = Libc.Kill(_process.Id, Libc.SignalUser1);
        return _stats.TryTake(out var line, Timeout) ? EmulatorStats.Parse(line, cpu) : throw new MeasurementException("the emulator printed no stats line");
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
        _stats.Dispose();
    }

    private void Take(string? line)
    {
        const string Listening = " listening on 127.0.0.1:";
        if (line is null)
        {
            return;
        }
        if (line.Contains(": stats ", StringComparison.Ordinal))
        {
            _stats.Add(line);
        }
        else if (line.IndexOf(Listening, StringComparison.Ordinal) is >= 0 and var at)
        {
            _port.TrySetResult(int.Parse(line[(at + Listening.Length)..].Split('.', ' ')[0], CultureInfo.InvariantCulture));
        }
    }
}

/// <summary>The files to start an emulator with.</summary>
internal sealed record EmulatorFiles(string Program, string Rom, string Script, string Saves)
{
    public EmulatorProcess Start(double fps, bool withScript) => new(Program, Rom, Saves, fps, withScript ? Script : null);
}
