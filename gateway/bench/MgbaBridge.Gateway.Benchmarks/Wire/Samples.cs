using System.Diagnostics;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>Latencies, stored one by one in memory that is allocated and touched before the clock starts.</summary>
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

    /// <summary>Samples beyond the capacity. The percentiles are wrong unless this is 0.</summary>
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
        return _count == 0 ? default : new Latency(Percentile(sorted, 0.5), Percentile(sorted, 0.99), Percentile(sorted, 0.999), Percentile(sorted, 1));
    }

    private static double Percentile(ReadOnlySpan<long> sorted, double part) =>
        Milliseconds(sorted[Math.Clamp((int)Math.Ceiling(part * sorted.Length) - 1, 0, sorted.Length - 1)]);

    private static double Milliseconds(double ticks) => ticks * 1000 / Stopwatch.Frequency;
}

/// <summary>Percentiles of latencies, in milliseconds.</summary>
internal readonly record struct Latency(double P50, double P99, double P999, double Max);
