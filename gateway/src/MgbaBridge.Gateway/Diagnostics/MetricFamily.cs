using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Text;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>One instrument: a name, a type, and a series for each set of tags.</summary>
internal sealed class MetricFamily
{
    /// <summary>Sets of tags at most; what comes beyond is added up in one series, which says so.</summary>
    public const int MaxSeries = 1_000;

    private const string OverflowLabels = "otel_metric_overflow=\"true\"";

    // what OpenTelemetry uses for seconds where an instrument advises nothing
    private static readonly double[] DefaultBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

    private readonly ConcurrentDictionary<int, KnownTags> _known = new();
    private readonly ConcurrentDictionary<string, MetricSeries> _series = new(StringComparer.Ordinal);
    private readonly Lock _adding = new();
    private readonly string _help;
    private readonly string _type;
    private readonly double[]? _bounds;
    private readonly bool _isObserved;
    private readonly bool _isSet;

    public MetricFamily(Instrument instrument)
    {
        var kind = instrument.GetType().GetGenericTypeDefinition();
        var isCounter = kind == typeof(Counter<>) || kind == typeof(ObservableCounter<>);
        _isObserved = instrument.IsObservable;
        _isSet = _isObserved || kind == typeof(Gauge<>);
        _help = instrument.Description ?? "";
        _type = isCounter ? "counter" : kind == typeof(Histogram<>) ? "histogram" : "gauge";
        _bounds = _type == "histogram" ? [.. (instrument as Instrument<double>)?.Advice?.HistogramBucketBoundaries ?? DefaultBounds] : null;
        Name = PrometheusText.NameOf(instrument.Name, instrument.Unit, isCounter);
    }

    /// <summary>The name on the page.</summary>
    public string Name { get; }

    /// <summary>An integer was measured: sums of these are exact.</summary>
    public void Measure(long value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        if (_isSet || _bounds is not null)
        {
            Measure((double)value, tags);
        }
        else
        {
            Of(tags).Add(value);
        }
    }

    /// <summary>A number was measured.</summary>
    public void Measure(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var series = Of(tags);
        if (_isSet)
        {
            series.Set(value);
        }
        else if (_bounds is not null)
        {
            series.Record(value);
        }
        else
        {
            series.Add(value);
        }
    }

    /// <summary>Observable instruments report all their values again.</summary>
    public void BeginScrape()
    {
        if (_isObserved)
        {
            foreach (var series in _series.Values)
            {
                series.IsKnown = false;
            }
        }
    }

    /// <summary>Writes the lines, or none where nothing was measured. Series that are no longer reported, such as those of hosts that are gone, make room.</summary>
    public void Write(StringBuilder page)
    {
        if (_isObserved && _series.Any(series => !series.Value.IsKnown))
        {
            Forget();
        }

        var known = _series.Where(series => series.Value.IsKnown).OrderBy(series => series.Key, StringComparer.Ordinal).ToArray();
        if (known.Length == 0)
        {
            return;
        }

        page.Append("# HELP ").Append(Name).Append(' ').Append(PrometheusText.Help(_help)).Append('\n');
        page.Append("# TYPE ").Append(Name).Append(' ').Append(_type).Append('\n');
        foreach (var (labels, series) in known)
        {
            series.Write(page, Name, labels);
        }
    }

    private void Forget()
    {
        lock (_adding)
        {
            foreach (var (labels, _) in _series.Where(series => !series.Value.IsKnown))
            {
                _series.TryRemove(labels, out _);
            }

            _known.Clear(); // it is filled again as things are measured
        }
    }

    private MetricSeries Of(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var hash = KnownTags.HashOf(tags);
        for (var known = _known.GetValueOrDefault(hash); known is not null; known = known.Next)
        {
            if (known.Fits(tags))
            {
                return known.Series;
            }
        }

        return Meet(hash, tags);
    }

    private MetricSeries Meet(int hash, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        lock (_adding)
        {
            var labels = PrometheusText.Labels(tags);
            if (!_series.TryGetValue(labels, out var series))
            {
                if (_series.Count >= MaxSeries)
                {
                    return _series.GetOrAdd(OverflowLabels, static (_, bounds) => new MetricSeries(bounds), _bounds);
                }

                series = _series[labels] = new MetricSeries(_bounds);
            }

            // the same tags may come in another order, and two callers may meet the same ones at once: both do no harm
            _known[hash] = new KnownTags(tags.ToArray(), series, _known.GetValueOrDefault(hash));
            return series;
        }
    }

    /// <summary>Tags that were met before; where hashes are the same, one leads to the next.</summary>
    private sealed record KnownTags(KeyValuePair<string, object?>[] Tags, MetricSeries Series, KnownTags? Next)
    {
        public static int HashOf(ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            var hash = default(HashCode);
            foreach (var tag in tags)
            {
                hash.Add(tag.Value);
            }

            return hash.ToHashCode();
        }

        public bool Fits(ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            if (tags.Length != Tags.Length)
            {
                return false;
            }

            for (var at = 0; at < tags.Length; at++)
            {
                if (tags[at].Key != Tags[at].Key || !Equals(tags[at].Value, Tags[at].Value))
                {
                    return false;
                }
            }

            return true;
        }
    }
}
