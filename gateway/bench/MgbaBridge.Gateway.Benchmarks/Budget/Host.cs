using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Budget;

/// <summary>A windowless emulator of our own.</summary>
internal sealed class Host : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly Process _process;
    private readonly BlockingCollection<string> _stats = [];
    private readonly TaskCompletionSource<int> _port = new();

    /// <summary>Starts it; without a script when that is null.</summary>
    public Host(string program, string rom, string saves, double fps, string? script)
    {
        var start = new ProcessStartInfo(program) { RedirectStandardError = true, RedirectStandardOutput = true };
        List<string> arguments = ["--stats", "0", "--saves", saves, "--fps", fps.ToString(CultureInfo.InvariantCulture), .. script is null ? [] : new[] { "--script", script }, "--", rom];
        arguments.ForEach(start.ArgumentList.Add);
        _process = Process.Start(start) ?? throw new WireException($"{program} did not start");
        _process.ErrorDataReceived += (_, line) => Take(line.Data);
        _process.OutputDataReceived += (_, line) => Take(line.Data);
        _process.BeginErrorReadLine();
        _process.BeginOutputReadLine();
    }

    /// <summary>Where its script listens.</summary>
    public int Port => _port.Task.Wait(Patience) ? _port.Task.Result : throw new WireException("the script does not listen");

    public HostAccount Account()
    {
        var cpu = ProcessFigures.Of(_process.Id).CpuSeconds;
        _ = Libc.Kill(_process.Id, Libc.SignalUser1);
        return _stats.TryTake(out var line, Patience) ? HostAccount.Parse(line, cpu) : throw new WireException("the emulator gives no stats");
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
