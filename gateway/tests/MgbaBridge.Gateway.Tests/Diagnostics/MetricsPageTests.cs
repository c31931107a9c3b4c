using System.Diagnostics.Metrics;
using System.Globalization;
using System.Text;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Diagnostics;

public sealed class MetricsPageTests : IDisposable
{
    private readonly ServiceProvider _services = new ServiceCollection().AddMetrics().AddSingleton<MetricsPage>().BuildServiceProvider();
    private readonly MetricsPage _page;
    private readonly Meter _meter;

    public MetricsPageTests()
    {
        _page = _services.GetRequiredService<MetricsPage>();
        _meter = _services.GetRequiredService<IMeterFactory>().Create(ClientMetrics.MeterName);
    }

    public void Dispose() => _services.Dispose();

    [Theory]
    [InlineData("a.b", "s", false, "a_b_seconds")]
    [InlineData("a.b", "{request}", true, "a_b_total")]
    [InlineData("a.b", "By", true, "a_b_bytes_total")]
    [InlineData("a.bytes", "By", false, "a_bytes")]
    [InlineData("a-b.total", null, true, "a_b_total")]
    [InlineData("a", "1", false, "a")]
    [InlineData("a", "km/h", false, "a_km_h")]
    [InlineData("1a", null, false, "_1a")]
    public void NameOf_AnInstrument_IsPrometheusWord(string name, string? unit, bool isCounter, string expected) =>
        Assert.Equal(expected, PrometheusText.NameOf(name, unit, isCounter));

    [Fact]
    public void Write_OfACounter_AddsUpEachSetOfTagsInAnyOrder()
    {
        var counter = _meter.CreateCounter<long>("test.counter", "{thing}", "Things.");
        counter.Add(2, new("b", 1), new("a", "x"));
        counter.Add(3, new("a", "x"), new("b", 1));
        counter.Add(5, new("a", "y"), new("b", 1));
        Assert.Equal(("counter", "Things."), (Page().TypeOf("test_counter_total"), Page().HelpOf("test_counter_total")));
        Assert.Equal(5, Page().Value("test_counter_total", ("a", "x"), ("b", "1")));
        Assert.Equal(5, Page().Value("test_counter_total", ("a", "y"), ("b", "1")));
    }

    [Fact]
    public void Write_OfTagsWithQuotesAndLines_ReadsBackTheSame()
    {
        const string Nasty = "a\"b\\c\nd{e}=,é";
        _meter.CreateCounter<int>("test.nasty", null, "One\\two\nlines.").Add(1, new KeyValuePair<string, object?>("the.tag", Nasty));
        Assert.Equal(1, Page().Value("test_nasty_total", ("the_tag", Nasty)));
        Assert.Contains("# HELP test_nasty_total One\\\\two\\nlines.\n", Text(), StringComparison.Ordinal);
    }

    [Fact]
    public void Write_OfAHistogram_HasGrowingBucketsAndTheirSum()
    {
        var histogram = _meter.CreateHistogram("test.time", "s", "Time.", advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = [0.5, 1] });
        foreach (var value in new[] { 0.25, 0.5, 0.75, 4 })
        {
            histogram.Record(value);
        }

        var page = Page();
        Assert.Equal("histogram", page.TypeOf("test_time_seconds"));
        Assert.Equal([2, 3, 4], new[] { "0.5", "1", "+Inf" }.Select(bound => page.Value("test_time_seconds_bucket", ("le", bound))));
        Assert.Equal((4, 5.5), (page.Value("test_time_seconds_count"), page.Value("test_time_seconds_sum")));
    }

    [Fact]
    public void Write_OfAnObservedValue_TellsOnlyWhatIsThereNow()
    {
        var (value, name) = (1, "one");
        _meter.CreateObservableGauge("test.seen", () => new Measurement<int>(value, new KeyValuePair<string, object?>("name", name)));
        Assert.Equal(1, Page().Value("test_seen", ("name", "one")));
        (value, name) = (7, "two");
        Assert.Equal(7, Page().Value("test_seen", ("name", "two")));
        Assert.DoesNotContain("\"one\"", Text(), StringComparison.Ordinal);
    }

    [Fact]
    public void Write_OfObservedValuesThatAreGone_MakesRoomForOthers()
    {
        var name = 0;
        _meter.CreateObservableGauge("test.changing", () => new Measurement<int>(1, new KeyValuePair<string, object?>("name", name)));
        for (; name < MetricFamily.MaxSeries + 10; name++)
        {
            Text();
        }

        Assert.Equal(1, Page().Value("test_changing", ("name", $"{name}")));
    }

    [Fact]
    public void Write_OfWhatGoesUpAndDown_IsAGauge()
    {
        var open = _meter.CreateUpDownCounter<long>("test.open", "{thing}");
        open.Add(3);
        open.Add(-1);
        Assert.Equal(("gauge", 2), (Page().TypeOf("test_open"), Page().Value("test_open")));
    }

    [Fact]
    public void Write_BeyondTheMostSeries_AddsUpTheRestInOne()
    {
        var counter = _meter.CreateCounter<long>("test.many");
        for (var at = 0; at < MetricFamily.MaxSeries + 10; at++)
        {
            counter.Add(1, new KeyValuePair<string, object?>("at", at));
        }

        Assert.Equal(10, Page().Value("test_many_total", ("otel_metric_overflow", "true")));
    }

    [Fact]
    public void Write_OfAnotherHostsMeter_HasNothingOfIt()
    {
        using var others = new ServiceCollection().AddMetrics().BuildServiceProvider();
        others.GetRequiredService<IMeterFactory>().Create(ClientMetrics.MeterName).CreateCounter<long>("test.others").Add(1);
        Assert.DoesNotContain("test_others", Text(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Measure_ByManyAtOnce_LosesNothing()
    {
        const int Each = 20_000;
        var counter = _meter.CreateCounter<long>("test.busy");
        var histogram = _meter.CreateHistogram<double>("test.busy.time", "s");
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            for (var at = 0; at < Each; at++)
            {
                counter.Add(1, new KeyValuePair<string, object?>("who", "all"));
                histogram.Record(0.5, new KeyValuePair<string, object?>("who", "all"));
            }
        })));
        var page = Page();
        Assert.Equal(4 * Each, page.Value("test_busy_total", ("who", "all")));
        Assert.Equal((4 * Each, 2.0 * Each), (page.Value("test_busy_time_seconds_count", ("who", "all")), page.Value("test_busy_time_seconds_sum", ("who", "all"))));
    }

    [Fact]
    public void Measure_OfTagsMetBefore_AllocatesNothing()
    {
        const int Times = 10_000;
        var histogram = _meter.CreateHistogram<double>("test.free", "s");
        object status = 200;
        Record(100);
        var before = GC.GetAllocatedBytesForCurrentThread();
        Record(Times);

        // less than a byte for each: the runtime allocates something once when it compiles the method again
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, Times - 1);

        void Record(int times)
        {
            for (var at = 0; at < times; at++)
            {
                histogram.Record(0.001, new("route", "/v2/echo"), new("status", status), new("outcome", "ok"));
            }
        }
    }

    [Theory]
    [InlineData(double.PositiveInfinity, "+Inf")]
    [InlineData(double.NegativeInfinity, "-Inf")]
    [InlineData(double.NaN, "NaN")]
    [InlineData(0.1, "0.1")]
    [InlineData(1e21, "1E+21")]
    public void Number_OfAValue_IsWhatPrometheusReads(double value, string expected)
    {
        var before = CultureInfo.CurrentCulture;
        var comma = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        comma.NumberFormat.NumberDecimalSeparator = ",";
        CultureInfo.CurrentCulture = comma;
        Assert.Equal(expected, PrometheusText.Number(value));
        CultureInfo.CurrentCulture = before;
    }

    private string Text()
    {
        using var text = StreamPool.Rent("test");
        _page.Write(text);
        return Encoding.UTF8.GetString(text.GetReadOnlySequence());
    }

    private ScrapedPage Page() => ScrapedPage.Parse(Text());
}
