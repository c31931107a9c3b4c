using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Waiting times, kept one by one in memory that was paid for before the clock started.</summary>
internal sealed class Samples
{
    private readonly long[] _ticks;
    private int _count;

    public Samples(int capacity)
    {
        _ticks = new long[capacity];
        Array.Fill(_ticks, 1);
    }

    public int Count => _count;

    /// <summary>Samples for which there was no room; anything but 0 makes the percentiles wrong.</summary>
    public long Missed { get; private set; }

    public void Add(long ticks)
    {
        if (_count < _ticks.Length)
        {
            _ticks[_count++] = ticks;
        }
        else
        {
            Missed++;
        }
    }

    public void Clear() => _count = 0;

    public Latency Summary()
    {
        var sorted = _ticks.AsSpan(0, _count);
        sorted.Sort();
        return _count == 0 ? default : new Latency(At(sorted, 0.5), At(sorted, 0.99), At(sorted, 0.999), At(sorted, 1), Mean(sorted));
    }

    private static double At(ReadOnlySpan<long> sorted, double part) =>
        Milliseconds(sorted[Math.Clamp((int)Math.Ceiling(part * sorted.Length) - 1, 0, sorted.Length - 1)]);

    private static double Mean(ReadOnlySpan<long> sorted)
    {
        var sum = 0.0;
        foreach (var ticks in sorted)
        {
            sum += ticks;
        }
        return Milliseconds(sum / sorted.Length);
    }

    private static double Milliseconds(double ticks) => ticks * 1000 / Stopwatch.Frequency;
}
