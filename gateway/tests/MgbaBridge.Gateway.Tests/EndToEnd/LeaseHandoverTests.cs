using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>An agent steps the real core, and the gateways it goes through end in the middle of it: no frame is skipped, none is doubled.</summary>
public sealed class LeaseHandoverTests
{
    private const int Steps = 10_000;
    private const int KilledBeforeStep = 2_500;
    private const int KilledDuringStep = 5_000;
    private const int TerminatedDuringStep = 7_500;
    private const int LongStep = 2_000;
    private const string Reads = """[{"read":{"location":"0x02000008","type":"u32"}},{"read":{"location":"0x0200000C","type":"u32"}}]""";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Steps_ThroughGatewaysThatEnd_AreThoseOfARunThatNothingDisturbed()
    {
        await using var emulator = await HeadlessEmulator.StartAsync(framesPerSecond: 0);
        await using var calm = await GatewayHost.ReadyAsync(emulator.Port);
        await using var first = await ReadyAsync(emulator.Port);
        await using var second = await ReadyAsync(emulator.Port);
        await using var third = await ReadyAsync(emulator.Port);
        await using var last = await ReadyAsync(emulator.Port);
        using var _ = await calm.Client.PostAsync("/v2/wait", new StringContent("""{"condition":"u32 0x02000000 eq 827605581","frames":36000}"""), Cancelled);
        var state = await calm.Client.GetByteArrayAsync("/v2/state", Cancelled);
        var undisturbed = await RunUndisturbedAsync(calm, state);

        using var agent = new Agent(calm);
        await agent.GoToAsync(first);
        await agent.StartAsync(state);
        for (var step = 0; step < Steps; step++)
        {
            switch (step)
            {
                case KilledBeforeStep:
                    await first.StopAsync();
                    agent.SendAndLose(step);
                    first.Signal("-KILL");
                    await agent.GoToAsync(second);
                    Assert.False(await agent.HasRunAsync(step));
                    await agent.StepAsync(step);
                    break;

                case KilledDuringStep:
                    agent.SendAndLose(step);
                    await Eventually.IsAsync(async () => await FrameAsync(calm.Client) > agent.Frame);
                    second.Signal("-KILL");
                    await agent.GoToAsync(third);
                    Assert.True(await agent.HasRunAsync(step));
                    await agent.StepAsync(step);
                    break;

                case TerminatedDuringStep:
                    agent.SendAndLose(step);
                    Assert.Equal(0, await third.TerminateAsync());
                    await agent.GoToAsync(last);
                    await agent.TakeAgainAsync();
                    await agent.StepAsync(step);
                    break;

                default:
                    await agent.StepAsync(step);
                    break;
            }
        }

        Assert.Equal(undisturbed, await agent.EndAsync());
    }

    [Fact]
    public async Task Lease_OfAGatewayThatEnded_IsKeptForItsTokenUntilItsTimeIsUp()
    {
        await using var play = await Play.StartAsync();
        var other = await GatewayHost.ReadyAsync(play.Emulator.Port);
        using var taken = await other.Client.SendAsync(Request("/v2/lease", """{"limitMs":10000}""", "agent"), Cancelled);
        var lease = await JsonOf(taken);
        await other.DisposeAsync();

        await play.SendAsync(HttpMethod.Post, "/v2/lease", holder: "agent", status: HttpStatusCode.Locked);
        var token = lease.GetProperty("token").GetString();
        var again = await play.SendAsync(HttpMethod.Post, "/v2/lease", $$"""{"limitMs":50,"token":"{{token}}"}""", "agent");
        Assert.Equal(lease.GetProperty("frame").GetInt64(), again.GetProperty("frame").GetInt64());
        Assert.Equal((token, 0), (again.GetProperty("token").GetString(), again.GetProperty("running").GetInt64()));

        // its holder says nothing more: the game runs on, and the token of before is good for nothing
        HttpStatusCode status;
        do
        {
            using var answer = await play.Client.SendAsync(Request("/v2/lease", """{"limitMs":10000}""", "next"), Cancelled);
            status = answer.StatusCode;
        }
        while (status == HttpStatusCode.Locked);
        Assert.Equal(HttpStatusCode.OK, status);
        await play.SendAsync(HttpMethod.Post, "/v2/lease", $$"""{"token":"{{token}}"}""", "agent", HttpStatusCode.Locked);
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "next");
        var refused = await play.SendAsync(HttpMethod.Post, "/v2/lease", $$"""{"token":"{{token}}"}""", "agent", HttpStatusCode.Conflict);
        Assert.Equal("no-lease", refused.GetProperty("code").GetString());
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", "agent", HttpStatusCode.Conflict);
    }

    private static Task<GatewayProcess> ReadyAsync(int emulatorPort) => GatewayProcess.ReadyAsync(emulatorPort, "--http-port=0");

    /// <summary>All steps by a WebSocket of one gateway, as fast as they go.</summary>
    private static async Task<string> RunUndisturbedAsync(GatewayHost gateway, byte[] state)
    {
        using var socket = await WebSocketClient.OpenAsync(gateway);
        await socket.DoAsync("lease.take", """{"limitMs":10000}""");
        var begun = (await socket.DoAsync("state.load", $$"""{"bytes":"{{Convert.ToBase64String(state)}}"}""")).GetProperty("frame").GetInt64();
        var sending = Task.Run(
            async () =>
            {
                for (var step = 0; step < Steps; step++)
                {
                    await socket.SendAsync($$$"""{"id":{{{step}}},"op":"lease.step","body":{{{BodyOf(step)}}}}""");
                }
            },
            Cancelled);
        var frame = begun;
        var values = new string[Steps];
        for (var answer = 0; answer < Steps; answer++)
        {
            var message = await socket.NextAsync(); // steps run in their order; answers may come in another
            var body = message.GetProperty("body");
            frame = Math.Max(frame, body.GetProperty("frame").GetInt64());
            values[message.GetProperty("id").GetInt32()] = ValuesOf(body);
        }

        await sending;
        using var seen = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        seen.AppendData(Encoding.UTF8.GetBytes(string.Concat(values)));
        var whole = await HashAsync(gateway.Client, seen, frame - begun);
        await socket.CloseAsync();
        return whole;
    }

    /// <summary>What was seen on the way, how many frames that was, and all of memory at the end.</summary>
    private static async Task<string> HashAsync(HttpClient client, IncrementalHash seen, long frames)
    {
        foreach (var path in new[] { "/v2/memory/wram:0x0?length=262144", "/v2/memory/iwram:0x0?length=32768" })
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, path) { Headers = { { "Accept", "application/octet-stream" } } };
            using var answer = await client.SendAsync(request, Cancelled);
            seen.AppendData(await answer.EnsureSuccessStatusCode().Content.ReadAsByteArrayAsync(Cancelled));
        }

        return $"{frames} frames, {Convert.ToHexString(seen.GetHashAndReset())}";
    }

    // keys that depend on the step alone
    private static string BodyOf(int step, long? from = null)
    {
        var random = new Random(step);
        var keys = string.Join('+', new[] { "A", "B", "Right", "Up", "R" }.Where(_ => random.Next(2) == 0));
        return $$"""{"frames":{{FramesOf(step)}},"keys":"{{keys}}",{{(from is null ? "" : string.Create(CultureInfo.InvariantCulture, $"\"from\":{from},"))}}"items":{{Reads}}}""";
    }

    private static int FramesOf(int step) => step == KilledDuringStep ? LongStep : 1;

    private static string ValuesOf(JsonElement answer) =>
        string.Join(' ', answer.GetProperty("results").EnumerateArray().Select(result => result.GetProperty("value").GetRawText()));

    private static async Task<long> FrameAsync(HttpClient client)
    {
        using var answer = await client.GetAsync("/v2/keys", Cancelled);
        return FrameOf(answer);
    }

    private static long FrameOf(HttpResponseMessage answer) => long.Parse(answer.Headers.GetValues("Mgba-Frame").Single(), CultureInfo.InvariantCulture);

    private static HttpRequestMessage Request(string path, string body, string holder) =>
        new(HttpMethod.Post, path) { Content = new StringContent(body), Headers = { { "Mgba-Holder", holder } } };

    private static async Task<JsonElement> JsonOf(HttpResponseMessage answer)
    {
        var text = await answer.Content.ReadAsStringAsync(Cancelled);
        Assert.True(answer.IsSuccessStatusCode, text);
        return JsonDocument.Parse(text).RootElement;
    }

    /// <summary>A client as docs/playing.md describes it: it knows the frame of its last answer and the token of its lease, and nothing else.</summary>
    private sealed class Agent(GatewayHost observer) : IDisposable
    {
        private readonly IncrementalHash _seen = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        private HttpClient _client = new();
        private string _token = "";
        private long _begun;

        /// <summary>Where the game stood after the last answer.</summary>
        public long Frame { get; private set; }

        public async Task GoToAsync(GatewayProcess gateway)
        {
            var port = await gateway.ListensAsync();
            _client.Dispose();
            _client = new HttpClient { BaseAddress = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}")) };
        }

        public async Task StartAsync(byte[] state)
        {
            using var taken = await SendAsync("/v2/lease", """{"limitMs":10000}""");
            _token = (await JsonOf(taken)).GetProperty("token").GetString()!;
            using var load = new HttpRequestMessage(HttpMethod.Put, "/v2/state") { Content = Play.Bytes(state), Headers = { { "Mgba-Holder", "agent" } } };
            using var loaded = await _client.SendAsync(load, Cancelled);
            Frame = _begun = FrameOf(loaded.EnsureSuccessStatusCode());
        }

        /// <summary>Sends a step and never hears of it.</summary>
        public void SendAndLose(int step) =>
            _ = SendAsync("/v2/lease/step", BodyOf(step)).ContinueWith(static lost => _ = lost.Exception, TaskScheduler.Default);

        /// <summary>Takes the lease over, and says where the game will stand.</summary>
        public async Task<long> TakeAgainAsync()
        {
            using var taken = await SendAsync("/v2/lease", $$"""{"limitMs":10000,"token":"{{_token}}"}""");
            var lease = await JsonOf(taken);
            return lease.GetProperty("frame").GetInt64() + lease.GetProperty("running").GetInt64();
        }

        /// <summary>Takes the lease over, and tells by the frame whether the step whose answer was lost has run.</summary>
        public async Task<bool> HasRunAsync(int step)
        {
            var reached = await TakeAgainAsync();
            Assert.Contains(reached, new[] { Frame, Frame + FramesOf(step) });
            return reached != Frame;
        }

        /// <summary>Steps, unless the step has already run.</summary>
        public async Task StepAsync(int step)
        {
            using var answer = await AnswerAsync(BodyOf(step, Frame));
            var after = Frame + FramesOf(step);
            Assert.Equal(after, FrameOf(answer));
            Frame = after;
            if (answer.StatusCode == HttpStatusCode.PreconditionFailed)
            {
                using var look = await AnswerAsync($$"""{"frames":0,"items":{{Reads}}}""");
                _seen.AppendData(Encoding.UTF8.GetBytes(ValuesOf(await JsonOf(look))));
                return;
            }

            _seen.AppendData(Encoding.UTF8.GetBytes(ValuesOf(await JsonOf(answer))));
        }

        public async Task<string> EndAsync()
        {
            var whole = await HashAsync(observer.Client, _seen, Frame - _begun);
            using var released = await _client.SendAsync(new HttpRequestMessage(HttpMethod.Delete, "/v2/lease") { Headers = { { "Mgba-Holder", "agent" } } }, Cancelled);
            Assert.True((await JsonOf(released)).GetProperty("released").GetBoolean());
            return whole;
        }

        public void Dispose()
        {
            _client.Dispose();
            _seen.Dispose();
        }

        // 503: the step before is still running
        private async Task<HttpResponseMessage> AnswerAsync(string body)
        {
            HttpResponseMessage answer;
            while ((answer = await SendAsync("/v2/lease/step", body)).StatusCode == HttpStatusCode.ServiceUnavailable)
            {
                answer.Dispose();
            }

            return answer;
        }

        private Task<HttpResponseMessage> SendAsync(string path, string body) => _client.SendAsync(Request(path, body, "agent"), Cancelled);
    }
}
