using MgbaBridge.Client.Transport;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace MgbaBridge.Gateway.Tests.Diagnostics;

/// <summary>From an HTTP request down to the exchange, and out to a collector.</summary>
[Collection(nameof(Alone))]
public sealed class TracingTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Exchange_OfAnHttpRequest_IsASpanBelowIt()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        var trace = ActivityTraceId.CreateRandom();
        var spans = await SpansOfAsync(gateway, trace);
        var http = Assert.Single(spans, span => span.Source.Name == "Microsoft.AspNetCore");
        var exchange = Assert.Single(spans, span => span.Source.Name == ClientTracing.SourceName);
        Assert.Equal(http.SpanId, exchange.ParentSpanId);
        Assert.Equal(("memory.read8", ActivityKind.Client, ActivityStatusCode.Unset), (exchange.DisplayName, exchange.Kind, exchange.Status));
        Assert.Equal(["1", "ok"], new[] { "mgba.emulator", "mgba.outcome" }.Select(tag => exchange.GetTagItem(tag)));
        Assert.True((long)exchange.GetTagItem("mgba.frame")! > 0);
        Assert.Equal("sent", Assert.Single(exchange.Events).Name);
    }

    [Fact]
    public async Task Exchange_ThatIsTriedAgainAndFails_TellsBoth()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, services => services.Registered<TransportSettings>().Now.MaxAttempts = 2);
        fake.Behaviour = new FakeBehaviour { Garbage = "no message at all<|END|>"u8.ToArray() };
        var spans = await SpansOfAsync(gateway, ActivityTraceId.CreateRandom());
        var exchange = Assert.Single(spans, span => span.Source.Name == ClientTracing.SourceName);
        Assert.Equal(ActivityStatusCode.Error, exchange.Status);
        Assert.Equal("connection-lost", exchange.GetTagItem("error.type"));
        Assert.Equal("connection-lost", Assert.Single(exchange.Events, happened => happened.Name == "retry").Tags.Single().Value);
    }

    [Fact]
    public async Task Collector_ThatWasNamed_GetsTracesAndMetrics()
    {
        var received = new ConcurrentDictionary<string, byte[]>();
        await using var collector = await CollectorAsync(received);
        await using var fake = FakeScript.Start();
        var trace = ActivityTraceId.CreateRandom();
        await using (var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Telemetry:OtlpEndpoint", collector.Urls.Single())))
        {
            await RequestAsync(gateway, trace);
        }

        // what was not sent before is sent at the end, while the factory is done already
        var bytes = new byte[16];
        trace.CopyTo(bytes);
        await Eventually.Is(() => Has("traces", bytes));
        foreach (var (signal, text) in new[]
        {
            ("traces", "memory.read8"), ("traces", "mgba-bridge"), ("traces", ClientTracing.SourceName),
            ("metrics", "mgba.client.operation.duration"), ("metrics", "http.server.request.duration"),
        })
        {
            await Eventually.Is(() => Has(signal, Encoding.UTF8.GetBytes(text)), text);
        }

        bool Has(string signal, byte[] content) => received.TryGetValue(signal, out var message) && message.AsSpan().IndexOf(content) >= 0;
    }

    private static async Task<IReadOnlyCollection<Activity>> SpansOfAsync(GatewayHost gateway, ActivityTraceId trace)
    {
        var ended = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name is ClientTracing.SourceName or "Microsoft.AspNetCore",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = ended.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        await RequestAsync(gateway, trace);
        // the answer is out before the span of its request ends
        await Eventually.Is(() => ended.Any(span => span.TraceId == trace && span.Source.Name == "Microsoft.AspNetCore"));
        return [.. ended.Where(span => span.TraceId == trace)];
    }

    private static async Task RequestAsync(GatewayHost gateway, ActivityTraceId trace)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/memory/0x02000000/u8");
        request.Headers.Add("traceparent", $"00-{trace}-{ActivitySpanId.CreateRandom()}-01");
        using var answer = await gateway.Client.SendAsync(request, Cancelled);
    }

    private static async Task<WebApplication> CollectorAsync(ConcurrentDictionary<string, byte[]> received)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var app = builder.Build();
        app.MapPost("/v1/{signal}", async (HttpContext http, string signal) =>
        {
            var body = new MemoryStream();
            await http.Request.Body.CopyToAsync(body);
            received.AddOrUpdate(signal, body.ToArray(), (_, before) => [.. before, .. body.ToArray()]);
        });
        await app.StartAsync(Cancelled);
        return app;
    }
}
