using System.Globalization;
using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Emulators;

/// <summary>Slow is not dead: limits in time follow from the pace that was asked for.</summary>
public sealed class PaceTests
{
    private const string Scratch = "/v2/memory/0x0203FF00/u32";

    [Fact]
    public async Task Emulator_AtEveryPace_AnswersAndIsNotRestarted()
    {
        await using var gateway = await StartAsync();
        var process = (await gateway.ProcessAsync("1")).GetProperty("pid").GetInt32();
        foreach (var fps in (double[])[0.00001, 0.1, 0.5, 1, 2, 7, 20, 59.7275, 1000, 100_000, 0])
        {
            var rate = fps.ToString("0.#####", CultureInfo.InvariantCulture);
            await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", $$"""{"fps":{{rate}}}""");
            await gateway.SendAsync(HttpMethod.Put, Scratch, """{"value":7}""");
            Assert.Equal(7, (await gateway.GetAsync(Scratch)).GetProperty("value").GetInt64());
            await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":true}""");
            await gateway.GetAsync(Scratch);
            await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":false}""");
            await gateway.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""");
            await gateway.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":0}""");
            await gateway.SendAsync(HttpMethod.Delete, "/v2/lease");
            await Eventually.IsAsync(async () => (await gateway.GetAsync("/v2/status")).GetProperty("state").GetString() == "ready");
        }

        var after = await gateway.ProcessAsync("1");
        Assert.Equal((process, 0), (after.GetProperty("pid").GetInt32(), after.GetProperty("restarts").GetInt32()));
    }

    [Fact]
    public async Task Requests_ThatTakeSlowFrames_AreNotTimedOut()
    {
        await using var gateway = await StartAsync();
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"fps":0.5}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""");

        // eight seconds: longer than the silence that is allowed, and than four frames may take otherwise
        var before = (await gateway.GetAsync(Scratch)).GetProperty("frame").GetInt64();
        Assert.Equal(before + 4, (await gateway.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":4}""")).GetProperty("frame").GetInt64());
        await gateway.SendAsync(HttpMethod.Delete, "/v2/lease");

        // a limit that the caller chose applies at every pace
        using var request = new HttpRequestMessage(HttpMethod.Post, "/v2/wait") { Content = new StringContent("""{"frames":100}""", null, "application/json") };
        request.Headers.Add("Prefer", "wait=1");
        using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.GatewayTimeout, response.StatusCode);
    }

    [Fact]
    public async Task Lease_ThatIsTakenBetweenSlowFrames_LetsNoFrameRunBeforeItsFirstStep()
    {
        await using var gateway = await StartAsync();
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"fps":4}""");
        var taken = await gateway.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""");
        foreach (var frames in (int[])[0, 3, 0, 1])
        {
            var before = await FrameAsync();
            var after = await gateway.SendAsync(HttpMethod.Post, "/v2/lease/step", $$"""{"frames":{{frames}},"from":{{before}}}""");
            Assert.Equal(before + frames, after.GetProperty("frame").GetInt64());
        }

        Assert.Equal(taken.GetProperty("frame").GetInt64() + 4, await FrameAsync());

        async Task<long> FrameAsync() => (await gateway.GetAsync(Scratch)).GetProperty("frame").GetInt64();
    }

    // a busy machine leaves the emulator without a processor for longer than the usual silence
    private static async Task<OwnedGateway> StartAsync()
    {
        var gateway = await OwnedGateway.StartAsync(1, ("Transport:SilenceTimeout", "00:00:05"));
        gateway.Client.DefaultRequestHeaders.Add("Mgba-Holder", "tests");
        return gateway;
    }
}
