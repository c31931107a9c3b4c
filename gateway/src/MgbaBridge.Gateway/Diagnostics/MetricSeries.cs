using System.Text;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>One line of numbers, or a histogram's lines. Each processor adds up for itself, so that they do not wait for each other.</summary>
internal sealed class MetricSeries
{
    private static readonly int StripeCount = Math.Min(Environment.ProcessorCount, 8);

    private readonly double[]? _bounds;
    private readonly Stripe[] _stripes;

    /// <summary>Makes one; with bounds it is a histogram.</summary>
    public MetricSeries(double[]? bounds)
    {
        _bounds = bounds;
        _stripes = [.. Enumerable.Range(0, StripeCount).Select(_ => new Stripe((bounds?.Length ?? 0) + 1))];
    }

    /// <summary>Whether it has a value.</summary>
    public bool IsKnown { get; set; } = true;

    private Stripe Mine => _stripes[Thread.GetCurrentProcessorId() % _stripes.Length];

    public void Add(long value) => Interlocked.Add(ref Mine.Counts[0], value);

    public void Add(double value) => Mine.AddToSum(value);

    /// <summary>Only for what one thread sets at a time.</summary>
    public void Set(double value)
    {
        Volatile.Write(ref _stripes[0].Sum, value);
        IsKnown = true;
    }

    /// <summary>Puts it into its bucket: the first whose bound is not smaller.</summary>
    public void Record(double value)
    {
        var bucket = 0;
        while (bucket < _bounds!.Length && value > _bounds[bucket])
        {
            bucket++;
        }

        var stripe = Mine;
        Interlocked.Increment(ref stripe.Counts[bucket]);
        stripe.AddToSum(value);
    }

    public void Write(StringBuilder page, string name, string labels)
    {
        var sum = _stripes.Sum(stripe => Volatile.Read(ref stripe.Sum));
        if (_bounds is null)
        {
            Line(page, name, labels, sum + Count(0));
            return;
        }

        var (so, separator) = (0L, labels.Length == 0 ? "" : ",");
        for (var bucket = 0; bucket <= _bounds.Length; bucket++)
        {
            so += Count(bucket);
            var bound = bucket < _bounds.Length ? PrometheusText.Number(_bounds[bucket]) : "+Inf";
            Line(page, name + "_bucket", $"{labels}{separator}le=\"{bound}\"", so);
        }

        Line(page, name + "_sum", labels, sum);
        Line(page, name + "_count", labels, so);
    }

    private static void Line(StringBuilder page, string name, string labels, double value)
    {
        page.Append(name);
        if (labels.Length > 0)
        {
            page.Append('{').Append(labels).Append('}');
        }

        page.Append(' ').Append(PrometheusText.Number(value)).Append('\n');
    }

    private long Count(int bucket) => _stripes.Sum(stripe => Volatile.Read(ref stripe.Counts[bucket]));

    private sealed class Stripe(int buckets)
    {
        public readonly long[] Counts = new long[buckets];
        public double Sum;

        public void AddToSum(double value)
        {
            for (var before = Volatile.Read(ref Sum); ;)
            {
                var found = Interlocked.CompareExchange(ref Sum, before + value, before);
                if (BitConverter.DoubleToInt64Bits(found) == BitConverter.DoubleToInt64Bits(before))
                {
                    return;
                }

                before = found;
            }
        }
    }
}
