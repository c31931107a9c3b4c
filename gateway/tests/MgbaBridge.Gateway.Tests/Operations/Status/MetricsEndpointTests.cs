using MgbaBridge.Client.Transport;
using Microsoft.Extensions.DependencyInjection;
using System.Net;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Status;

public sealed class MetricsEndpointTests
{
    [Fact]
    public async Task Page_OfTheProgram_IsPrometheusText()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        using var response = await gateway.Client.GetAsync("/metrics", TestContext.Current.CancellationToken);
        Assert.Equal("text/plain; version=0.0.4; charset=utf-8", response.Content.Headers.ContentType?.ToString());
        var page = ScrapedPage.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        foreach (var (family, type) in new[]
        {
            ("mgba_emulator_up", "gauge"), ("mgba_client_connection_count", "gauge"), ("mgba_client_connection_opened_total", "counter"),
            ("mgba_client_operation_active", "gauge"), ("mgba_client_operation_waiting", "gauge"), ("http_server_active_requests", "gauge"),
            ("kestrel_active_connections", "gauge"), ("dotnet_gc_heap_total_allocated_bytes_total", "counter"),
        })
        {
            Assert.Equal((family, type), (family, page.TypeOf(family)));
        }
    }

    [Fact]
    public async Task Counters_OfRequests_GrowByAsManyAsWereMade()
    {
        await using var fake = FakeScript.Start();
        var id = NewId();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Emulators:0:Id", id));
        await RequestAsync(gateway, 1);
        var before = await CountedAsync(1);
        await RequestAsync(gateway, 25);
        var after = await CountedAsync(26);
        Assert.Equal(25, after.Sum("http_server_request_duration_seconds_count", "u32") - before.Sum("http_server_request_duration_seconds_count", "u32"));
        (string, string)[] labels = [("mgba_emulator", id), ("mgba_command", "memory.read32"), ("mgba_outcome", "ok")];
        Assert.Equal(25, after.Value("mgba_client_operation_duration_seconds_count", labels) - before.Value("mgba_client_operation_duration_seconds_count", labels));
        Assert.Equal(
            after.Value("mgba_client_operation_duration_seconds_count", labels),
            after.Value("mgba_client_operation_duration_seconds_bucket", [.. labels, ("le", "+Inf")]));

        // the server counts a request only after its answer has left
        async Task<ScrapedPage> CountedAsync(int requests)
        {
            ScrapedPage? page = null;
            await Eventually.IsAsync(async () => (page = await ScrapeAsync(gateway)).Sum("http_server_request_duration_seconds_count", "u32") >= requests);
            return page!;
        }
    }

    [Fact]
    public async Task Gauges_OfAnEmulator_TellWhetherItAnswers()
    {
        var id = NewId();
        await using var gateway = GatewayHost.Start(Clients.FreePort(), ("Emulators:0:Id", id));
        var page = await ScrapeAsync(gateway);
        Assert.Equal(0, page.Value("mgba_emulator_up", ("mgba_emulator", id)));
        Assert.Equal(1, page.Sum("mgba_emulator_state", $"mgba_emulator={id}"));
        Assert.Equal(0, page.Value("mgba_client_operation_waiting", ("mgba_emulator", id), ("mgba_request_class", "Interactive")));
        Assert.Equal(0, page.ValueOr0("mgba_client_connection_count", ("mgba_emulator", id), ("mgba_request_class", "Interactive")));
    }

    [Fact]
    public async Task Gauges_OfWhatIsUnderWay_TellTheRequestClass()
    {
        await using var fake = FakeScript.Start();
        var id = NewId();

        // no signs of life among what is counted
        await using var gateway = await GatewayHost.ReadyAsync(
            fake.Port, services => services.Registered<TransportSettings>().Now.HeartbeatInterval = TimeSpan.FromMinutes(10),
            ("Emulators:0:Id", id), ("Transport:SilenceTimeout", "00:01:00"), ("Transport:RequestTimeout", "00:10:00"));
        await Eventually.IsAsync(async () => Of(await ScrapeAsync(gateway), "connection_count", "Slow") == 1);
        fake.Pause();
        var asked = Enumerable.Range(0, 3).Select(_ => gateway.Client.GetAsync("/v2/memory/0x02000008/u32", TestContext.Current.CancellationToken)).ToList();
        asked.Add(gateway.Client.GetAsync("/v2/memory/0x02000000?length=100000", TestContext.Current.CancellationToken));
        await Eventually.IsAsync(async () => Active(await ScrapeAsync(gateway)) == (3, 1));
        fake.Resume();
        foreach (var answer in await Task.WhenAll(asked))
        {
            Assert.True(answer.IsSuccessStatusCode);
            answer.Dispose();
        }

        await Eventually.IsAsync(async () => Active(await ScrapeAsync(gateway)) == (0, 0));

        (double, double) Active(ScrapedPage page) =>
            (Of(page, "operation_active", "Interactive"), Of(page, "operation_active", "Slow"));

        double Of(ScrapedPage page, string what, string requestClass) => page.ValueOr0("mgba_client_" + what, ("mgba_emulator", id), ("mgba_request_class", requestClass));
    }

    [Fact]
    public async Task Reconnects_AfterAConnectionEnded_AreCounted()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { CloseAfterBytes = 1 });
        var id = NewId();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, OneConnection, ("Emulators:0:Id", id));
        static void OneConnection(IServiceCollection services) =>
            (services.Registered<TransportSettings>().Now.MinConnections, services.Registered<TransportSettings>().Now.MaxConnections) = (1, 1);

        var before = Reconnects(await ScrapeAsync(gateway)); // a heartbeat may have ended a connection already
        using var response = await gateway.Client.GetAsync("/v2/memory/0x02000008/u32", TestContext.Current.CancellationToken);
        await Eventually.IsAsync(async () => Reconnects(await ScrapeAsync(gateway)) > before);

        double Reconnects(ScrapedPage page) => page.ValueOr0("mgba_client_connection_reconnects_total", ("mgba_emulator", id), ("mgba_request_class", "Interactive"));
    }

    // the gateway's own instruments belong to the process, in which other tests run as well
    private static string NewId() => Guid.NewGuid().ToString("n");

    private static async Task RequestAsync(GatewayHost gateway, int times)
    {
        for (var at = 0; at < times; at++)
        {
            using var response = await gateway.Client.GetAsync("/v2/memory/0x02000008/u32", TestContext.Current.CancellationToken);
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        }
    }

    private static async Task<ScrapedPage> ScrapeAsync(GatewayHost gateway) =>
        ScrapedPage.Parse(await gateway.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken));
}
