using System.Buffers;
using System.Diagnostics.Metrics;
using System.Text;
using MgbaBridge.Client.Diagnostics;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>
/// What is measured in this process, for Prometheus (text format 0.0.4): our meter, ASP.NET Core's and the runtime's. It adds up as things
/// are measured, without allocating and without a lock; the page is written only on request.
/// </summary>
public sealed class MetricsPage : IDisposable
{
    /// <summary>The page's media type.</summary>
    public const string MediaType = "text/plain; version=0.0.4; charset=utf-8";

    /// <summary>Whose instruments are shown.</summary>
    public static readonly IReadOnlyList<string> Meters =
        [ClientMetrics.MeterName, "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Server.Kestrel", "System.Runtime"];

    private readonly Lock _gate = new();
    private readonly IMeterFactory _ours;
    private readonly SortedDictionary<string, MetricFamily> _families = new(StringComparer.Ordinal);
    private readonly MeterListener _listener = new();
    private readonly StringBuilder _text = new();
    private readonly Encoder _utf8 = Encoding.UTF8.GetEncoder();

    /// <summary>Begins to listen to the meters of the process and those made by <paramref name="ours"/>.</summary>
    public MetricsPage(IMeterFactory ours)
    {
        _ours = ours;
        _listener.InstrumentPublished = Meet;
        _listener.SetMeasurementEventCallback<int>(static (_, value, tags, family) => ((MetricFamily)family!).Measure((long)value, tags));
        _listener.SetMeasurementEventCallback<long>(static (_, value, tags, family) => ((MetricFamily)family!).Measure(value, tags));
        _listener.SetMeasurementEventCallback<double>(static (_, value, tags, family) => ((MetricFamily)family!).Measure(value, tags));
        _listener.Start();
    }

    /// <summary>Writes the page as it is now, in UTF-8.</summary>
    public void Write(IBufferWriter<byte> output)
    {
        lock (_gate)
        {
            foreach (var family in _families.Values)
            {
                family.BeginScrape();
            }

            _listener.RecordObservableInstruments();
            foreach (var family in _families.Values)
            {
                family.Write(_text);
                foreach (var part in _text.GetChunks())
                {
                    _utf8.Convert(part.Span, output, flush: false, out _, out _);
                }

                _text.Clear();
            }
        }
    }

    public void Dispose() => _listener.Dispose();

    private void Meet(Instrument instrument, MeterListener listener)
    {
        // a meter with another scope belongs to another host in this process
        var meter = instrument.Meter;
        if (!Meters.Contains(meter.Name) || (meter.Scope is not null && meter.Scope != _ours))
        {
            return;
        }

        var family = new MetricFamily(instrument);
        lock (_gate)
        {
            if (!_families.TryAdd(family.Name, family))
            {
                family = _families[family.Name];
            }
        }

        listener.EnableMeasurementEvents(instrument, family);
    }
}
