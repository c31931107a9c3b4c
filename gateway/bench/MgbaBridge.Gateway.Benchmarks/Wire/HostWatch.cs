using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Requests the emulator's stats line (SIGUSR1) at the start, every five seconds and at the end of a row.</summary>
internal sealed class HostWatch(int process, string logPath) : IDisposable
{
    public static readonly TimeSpan Window = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(3);

    private readonly List<HostLine> _lines = [];
    private readonly ManualResetEventSlim _stop = new();
    private long _read;
    private Thread? _thread;

    public bool IsAlive => Directory.Exists($"/proc/{process}") && !File.ReadAllText($"/proc/{process}/stat").Contains(") Z ", StringComparison.Ordinal);

    public void Start()
    {
        _read = new FileInfo(logPath).Length;
        RequestStats();
        _thread = new Thread(PollRepeatedly) { IsBackground = true, Name = "host watch" };
        _thread.Start();
    }

    public HostPace Stop()
    {
        _stop.Set();
        _thread?.Join();
        if (IsAlive)
        {
            RequestStats();
        }
        // Merge a short last window into the one before: one frame more or less would distort its rate.
        if (_lines.Count > 2 && _lines[^1].Seconds - _lines[^2].Seconds < Window.TotalSeconds / 2)
        {
            _lines.RemoveAt(_lines.Count - 2);
        }
        return HostPace.Of(_lines);
    }

    public void Dispose() => _stop.Dispose();

    private void PollRepeatedly()
    {
        while (!_stop.Wait(Window) && IsAlive)
        {
            RequestStats();
        }
    }

    private void RequestStats()
    {
        _ = Libc.Kill(process, Libc.SignalUser1);
        for (var clock = Stopwatch.StartNew(); clock.Elapsed < AnswerTimeout && IsAlive; Thread.Sleep(2))
        {
            if (ReadLine() is { } line)
            {
                _lines.Add(line);
                return;
            }
        }
    }

    private HostLine? ReadLine()
    {
        using var file = new FileStream(logPath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        file.Seek(_read, SeekOrigin.Begin);
        var text = new StreamReader(file).ReadToEnd();
        var end = text.LastIndexOf('\n') + 1;
        _read += System.Text.Encoding.UTF8.GetByteCount(text.AsSpan(0, end));
        return text[..end].Split('\n').Select(HostLine.TryParse).LastOrDefault(line => line is not null);
    }
}
