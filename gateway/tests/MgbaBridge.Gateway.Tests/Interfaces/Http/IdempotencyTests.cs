using System.Net;
using System.Text;
using MgbaBridge.Client.Emulator;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http;

public sealed class IdempotencyTests
{
    private const string Tap = """{"keys":["A"],"frames":2,"wait":true}""";

    [Fact]
    public async Task Press_SentAgainUnderItsKey_IsOnePress()
    {
        await using var play = await Play.StartAsync();
        var bodies = new List<string>();
        for (var attempt = 0; attempt < 3; attempt++)
        {
            using var response = await SendAsync(play.Client, "/v2/keys/tap", Tap, "one");
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
            Assert.Equal(attempt > 0, response.Headers.Contains("Idempotency-Replayed"));
            Assert.Single(response.Headers.GetValues("Mgba-Frame"));
            bodies.Add(await TextOf(response));
        }

        Assert.Single(bodies.Distinct());
        Assert.Equal(1, await play.EdgesAsync(0));
        using var other = await SendAsync(play.Client, "/v2/keys/tap", Tap, "two");
        Assert.Equal(2, await play.EdgesAsync(0));
    }

    [Fact]
    public async Task Presses_SentAtOnceUnderOneKey_AreOnePressAndHearTheSame()
    {
        await using var play = await Play.StartAsync();
        var responses = await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => SendAsync(play.Client, "/v2/keys/tap", Tap, "same")));
        Assert.Equal(19, responses.Count(response => response.Headers.Contains("Idempotency-Replayed")));
        Assert.Single((await Task.WhenAll(responses.Select(TextOf))).Distinct());
        Assert.Equal(1, await play.EdgesAsync(0));
        Array.ForEach(responses, response => response.Dispose());
    }

    [Theory]
    [InlineData("/v2/keys/tap", """{"keys":["B"],"frames":2,"wait":true}""")]
    [InlineData("/v2/keys/add", """{"keys":["A"]}""")]
    public async Task Key_OfAnotherRequest_IsRefused(string path, string body)
    {
        await using var play = await Play.StartAsync();
        using var first = await SendAsync(play.Client, "/v2/keys/tap", Tap, "mine");
        using var second = await SendAsync(play.Client, path, body, "mine");
        Assert.Equal(HttpStatusCode.UnprocessableEntity, second.StatusCode);
        Assert.Contains("key-reused", await TextOf(second), StringComparison.Ordinal);
        // another holder's keys are others
        using var third = await SendAsync(play.Client, "/v2/keys/tap", """{"keys":["B"]}""", "mine", holder: "somebody");
        Assert.Equal(HttpStatusCode.OK, third.StatusCode);
    }

    [Theory]
    [InlineData("")]
    [InlineData("with space")]
    public async Task Key_ThatCannotBe_IsRefused(string key)
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var response = await SendAsync(gateway.Client, "/v2/keys/tap", Tap, key);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
    }

    [Theory]
    [InlineData("no-game", false)]
    [InlineData("busy", false)]
    [InlineData("internal", true)]
    [InlineData("cancelled", true)]
    public async Task Request_ThatFailed_RunsAgainOnlyIfNothingWasDone(string code, bool mayHaveRun)
    {
        var tries = 0;
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = request => request.Command == "memory.write8" && ++tries == 1 ? FakeReply.Refuse(code, "not now") : FakeReply.Ok() });
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        using var first = await SendAsync(gateway.Client, "/v2/memory/0x5/u8", """{"value":3}""", "again", HttpMethod.Put);
        Assert.NotEqual(HttpStatusCode.OK, first.StatusCode);
        using var second = await SendAsync(gateway.Client, "/v2/memory/0x5/u8", """{"value":3}""", "again", HttpMethod.Put);
        Assert.Equal(mayHaveRun ? first.StatusCode : HttpStatusCode.OK, second.StatusCode);
        Assert.Equal(mayHaveRun, second.Headers.Contains("Idempotency-Replayed"));
        Assert.Equal(mayHaveRun ? 1 : 2, tries);
    }

    [Fact]
    public async Task Press_ThatBeganBeforeTheEmulatorStoodStill_IsOnePress()
    {
        await using var play = await Play.StartAsync();
        const string Long = """{"keys":["A"],"frames":36000,"wait":true}""";
        var asked = SendAsync(play.Client, "/v2/keys/tap", Long, "stalled");
        while (await play.EdgesAsync(0) == 0)
        {
            await play.WaitAsync(1);
        }

        await play.StopEmulatorAsync(TimeSpan.FromSeconds(2));
        using var first = await asked;
        Assert.Equal(HttpStatusCode.BadGateway, first.StatusCode);
        Assert.Contains("\"mayHaveRun\":true", await TextOf(first), StringComparison.Ordinal);
        play.ContinueEmulator();
        await Eventually.Is(() => play.Gateway.Emulators.First.Health.State == EmulatorState.Ready);
        using var second = await SendAsync(play.Client, "/v2/keys/tap", Long, "stalled");
        Assert.Equal((HttpStatusCode.BadGateway, true), (second.StatusCode, second.Headers.Contains("Idempotency-Replayed")));
        Assert.Equal(1, await play.EdgesAsync(0));
    }

    [Theory]
    [InlineData("/v2/keys/tap", Tap, "keys.tap")]
    [InlineData("/mgba-http/button/tap?button=A", "", "keys.tap")]
    public async Task Request_ThatFailedInsideTheGatewayOrTimedOut_RunsOnce(string path, string body, string command)
    {
        // ours: an answer that it cannot read. mGBA-http's path: none at all
        var tries = 0;
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = request => request.Command != command ? FakeReply.Ok() : Interlocked.Increment(ref tries) > 0 && body == "" ? null : FakeReply.Ok("what") });
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Transport:RequestTimeout", "00:00:00.300"));
        using var first = await SendAsync(gateway.Client, path, body, "failed");
        Assert.InRange((int)first.StatusCode, 500, 504);
        using var second = await SendAsync(gateway.Client, path, body, "failed");
        Assert.Equal((first.StatusCode, true), (second.StatusCode, second.Headers.Contains("Idempotency-Replayed")));
        await Eventually.Is(() => Volatile.Read(ref tries) > 0); // the script may read it after the time is over
        Assert.Equal(1, tries);
    }

    [Fact]
    public async Task Press_WhoseCallerLeft_IsAnsweredWhenItIsSentAgain()
    {
        await using var play = await Play.StartAsync();
        using var timeLimit = new CancellationTokenSource();
        const string Long = """{"keys":["A"],"frames":30,"wait":true}""";
        var left = SendAsync(play.Client, "/v2/keys/tap", Long, "left", cancellation: timeLimit.Token);
        while (await play.EdgesAsync(0) == 0)
        {
            await play.WaitAsync(1);
        }

        await timeLimit.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => left);
        using var again = await SendAsync(play.Client, "/v2/keys/tap", Long, "left");
        Assert.Equal((HttpStatusCode.OK, true), (again.StatusCode, again.Headers.Contains("Idempotency-Replayed")));
        Assert.Equal(1, await play.EdgesAsync(0));
    }

    [Fact]
    public void Answers_BeyondTheirMemoryOrAge_AreForgotten()
    {
        var time = new ManualTime();
        var requests = new IdempotentRequests(5_000, TimeSpan.FromMinutes(1), time);
        foreach (var key in new[] { "a", "b", "c" })
        {
            Assert.True(Add(requests, key, 600));
        }

        Assert.True(requests.Memory <= 5_000);
        Assert.False(Add(requests, "c", 600));
        Assert.True(Add(requests, "d", 600));
        Assert.True(Add(requests, "a", 600));
        Assert.True(requests.Memory <= 5_000);
        time.Advance(TimeSpan.FromSeconds(61));
        Assert.True(Add(requests, "a", 9_000));
        Assert.Equal(0, requests.Memory);
        Assert.True(Add(requests, "a", 10));
    }

    private static bool Add(IdempotentRequests requests, string key, int size)
    {
        var request = requests.GetOrAdd(new IdempotentRequest(key, ""), out var isNew);
        if (isNew)
        {
            requests.Complete(request, new StoredResponse(200, [], new byte[size]));
        }

        return isNew;
    }

    private static async Task<HttpResponseMessage> SendAsync(HttpClient client, string path, string json, string key, HttpMethod? method = null, string? holder = null, CancellationToken? cancellation = null)
    {
        using var request = new HttpRequestMessage(method ?? HttpMethod.Post, path) { Content = new StringContent(json, Encoding.UTF8, "application/json") };
        request.Headers.TryAddWithoutValidation("Idempotency-Key", key);
        if (holder is not null)
        {
            request.Headers.Add("Mgba-Holder", holder);
        }

        return await client.SendAsync(request, cancellation ?? TestContext.Current.CancellationToken);
    }

    private static Task<string> TextOf(HttpResponseMessage response) => response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
}
