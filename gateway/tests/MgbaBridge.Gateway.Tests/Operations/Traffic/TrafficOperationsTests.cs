using System.Net;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Traffic;

/// <summary>Not beside other tests: spans belong to the process, and other gateways have an emulator of the same name.</summary>
[Collection(nameof(Alone))]
public sealed class TrafficOperationsTests
{
    [Fact]
    public async Task Traffic_AfterTheFirstLook_HasRequestsAndFailures()
    {
        await using var play = await Play.StartAsync();
        var first = await play.AskGatewayAsync(HttpMethod.Get, "/v2/traffic");
        Assert.Equal(0, first.GetProperty("requests").GetArrayLength());
        await play.GetAsync("/v2/memory/0x02000000/u8");
        await play.SendAsync(HttpMethod.Get, "/v2/memory/nowhere:0x0/u8", status: HttpStatusCode.BadRequest);
        var answer = await play.AskGatewayAsync(HttpMethod.Get, $"/v2/traffic?after={first.GetProperty("last").GetInt64()}");
        var entries = answer.GetProperty("requests").EnumerateArray().ToArray();
        var read = Assert.Single(entries, entry => entry.GetProperty("command").GetString() == "memory.read8" && entry.GetProperty("outcome").GetString() == "ok");
        Assert.True(read.GetProperty("ms").GetDouble() > 0);
        Assert.True(read.GetProperty("frame").GetInt64() > 0);
        var failed = Assert.Single(entries, entry => entry.TryGetProperty("detail", out _));
        Assert.NotEqual("ok", failed.GetProperty("outcome").GetString());
        Assert.Equal(entries.Select(entry => entry.GetProperty("id").GetInt64()).Order(), entries.Select(entry => entry.GetProperty("id").GetInt64()));

        var newest = await play.AskGatewayAsync(HttpMethod.Get, "/v2/traffic?limit=1");
        Assert.Equal(1, newest.GetProperty("requests").GetArrayLength());
        var last = answer.GetProperty("last").GetInt64();
        Assert.DoesNotContain((await play.AskGatewayAsync(HttpMethod.Get, $"/v2/traffic?after={last}")).GetProperty("requests").EnumerateArray(), entry => entry.GetProperty("id").GetInt64() <= last);
    }

    [Fact]
    public async Task Durations_SinceTheFirstLook_CountEachRequestOnce()
    {
        await using var play = await Play.StartAsync();
        await play.AskGatewayAsync(HttpMethod.Get, "/v2/traffic");
        for (var count = 0; count < 3; count++)
        {
            await play.GetAsync("/v2/memory/0x02000000/u8");
        }

        var answer = await play.AskGatewayAsync(HttpMethod.Get, "/v2/traffic?limit=1");
        var read = Assert.Single(answer.GetProperty("durations").EnumerateArray(), entry => entry.GetProperty("command").GetString() == "memory.read8");
        Assert.Equal("ok", read.GetProperty("outcome").GetString());
        Assert.Equal(3, read.GetProperty("counts").EnumerateArray().Sum(count => count.GetInt64()));
        Assert.Equal(answer.GetProperty("boundsMs").GetArrayLength() + 1, read.GetProperty("counts").GetArrayLength());
    }

    [Fact]
    public async Task Traffic_WhileTheGatewayWaitsForFrames_LeavesItsWaitsOut()
    {
        await using var play = await Play.StartAsync();
        await play.AskGatewayAsync(HttpMethod.Get, "/v2/traffic");
        await play.AskGatewayAsync(HttpMethod.Put, "/v2/rewind", """{"every":10,"points":10}""");
        await Eventually.IsAsync(async () => (await play.AskGatewayAsync(HttpMethod.Get, "/v2/rewind")).GetProperty("points").GetArrayLength() > 2);
        await play.WaitAsync(1);
        var answer = await play.AskGatewayAsync(HttpMethod.Get, "/v2/traffic");
        Assert.Single(answer.GetProperty("requests").EnumerateArray(), entry => entry.GetProperty("command").GetString() == "wait.until");
        Assert.Contains(answer.GetProperty("requests").EnumerateArray(), entry => entry.GetProperty("command").GetString() == "state.get");
    }

    [Fact]
    public void Durations_OfABound_AreInItsCount()
    {
        using var log = new RequestLog(new ManualTime());
        log.After("1", 0, 1);
        using (var span = ClientTracing.Begin("1", "ping")!)
        {
            span.SetEndTime(span.StartTimeUtc + TimeSpan.FromSeconds(ClientMetrics.DurationBounds[1]));
            ClientTracing.End(span, "ok", 1, null);
        }

        Assert.Equal([0, 1, 0], Assert.Single(log.Durations("1")).Counts.Take(3));
        Assert.Empty(log.Durations("2"));
    }

    [Theory]
    [InlineData("limit=0")]
    [InlineData("limit=501")]
    [InlineData("limit=x")]
    [InlineData("after=-1")]
    [InlineData("after=99999999999999999999")]
    public async Task Traffic_OfAWrongQuery_IsRefused(string query)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Get, $"/v2/traffic?{query}", status: HttpStatusCode.BadRequest);
        Assert.Contains(query.StartsWith("limit", StringComparison.Ordinal) ? "from 1 to 500" : "expected an integer of at least 0", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Requests_WithoutAReader_HaveNoSpan()
    {
        var time = new ManualTime();
        using var log = new RequestLog(time);
        Assert.Null(ClientTracing.Begin("1", "ping"));
        log.After("1", 0, 1);
        ClientTracing.End(ClientTracing.Begin("1", "ping"), "ok", 5, null);
        Assert.Equal(["ping"], log.After("1", 0, 10).Entries.Select(entry => entry.Command));
        Assert.Empty(log.After("2", 0, 10).Entries);
        time.Advance(RequestLog.ReaderLimit);
        Assert.Null(ClientTracing.Begin("1", "ping"));
        Assert.Empty(log.After("1", 0, 10).Entries);
    }

    [Fact]
    public void Requests_BeyondTheLimit_AreTheNewest()
    {
        using var log = new RequestLog(new ManualTime());
        log.After("1", 0, 1);
        for (var count = 0; count < RequestLog.MaxEntries + 5; count++)
        {
            ClientTracing.End(ClientTracing.Begin("1", "ping"), "ok", 1, null);
        }

        var (entries, last) = log.After("1", 0, int.MaxValue);
        Assert.Equal((RequestLog.MaxEntries, 6L, RequestLog.MaxEntries + 5L), (entries.Count, entries[0].Id, last));
    }
}
