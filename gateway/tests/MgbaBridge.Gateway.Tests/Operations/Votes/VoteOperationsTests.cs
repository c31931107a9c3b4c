using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Operations.Votes;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Operations.Votes;

public sealed class VoteOperationsTests
{
    private const int A = 0;
    private const int Left = 5;
    private const int Right = 4;

    private readonly ManualTime _time = new();

    [Fact]
    public async Task Democracy_AtTheEndOfARound_PressesTheChoiceWithTheMostBallots()
    {
        await using var play = await StartAsync();
        using var events = await EventReader.OpenAsync(play.Client, "vote");
        var vote = await OpenAsync(play, """{"title":"Where to?","keys":["Left","Right"],"seconds":10,"repeat":true}""");
        Assert.Equal(("democracy", true, 1, 10.0), (vote.GetProperty("mode").GetString(), vote.GetProperty("open").GetBoolean(), vote.GetProperty("round").GetInt32(), vote.GetProperty("left").GetDouble()));
        var id = vote.GetProperty("id").GetString()!;
        Assert.Equal(id, (await events.NextAsync("vote.opened")).Data.GetProperty("vote").GetString());
        await CastAsync(play, id, "a", "right");
        await CastAsync(play, id, "b", "LEFT");
        var ballot = await CastAsync(play, id, "c", "Left");
        Assert.Equal(("Left", 2, false), (ballot.GetProperty("choice").GetString(), ballot.GetProperty("ballots").GetInt32(), ballot.TryGetProperty("queued", out _)));
        await RefusedAsync(play, id, "c", "Right", HttpStatusCode.Conflict, "already-voted", "c has voted in this round.");
        _time.Advance(TimeSpan.FromSeconds(10));
        await events.NextAsync("vote.ballots");
        await events.NextAsync("vote.decided");
        await Eventually.IsAsync(async () => (await GetAsync(play, id)).GetProperty("pressed").GetInt32() == 1);
        Assert.Equal((1, 0), (await play.EdgesAsync(Left), await play.EdgesAsync(Right)));

        var next = await GetAsync(play, id);
        Assert.Equal((2, 0, 0), (next.GetProperty("round").GetInt32(), next.GetProperty("ballots").GetInt32(), next.GetProperty("voters").GetInt32()));
        Assert.Equal("""{"round":1,"choice":"Left","ballots":2,"of":3}""", next.GetProperty("last").GetRawText());

        _time.Advance(TimeSpan.FromSeconds(10)); // a round without ballots
        Assert.Equal("""{"round":2,"ballots":0,"of":0}""", (await GetAsync(play, id)).GetProperty("last").GetRawText());
        Assert.False((await play.AskGatewayAsync(HttpMethod.Delete, $"/v2/votes/{id}")).GetProperty("open").GetBoolean());
        await events.NextAsync("vote.ended");
        Assert.Equal(0, (await play.AskGatewayAsync(HttpMethod.Get, "/v2/votes")).GetProperty("votes").GetArrayLength());
        Assert.Equal(1, await play.EdgesAsync(Left));
    }

    [Fact]
    public async Task Democracy_WithoutRepeat_EndsAndKeepsItsResult()
    {
        await using var play = await StartAsync();
        var id = (await OpenAsync(play, """{"choices":[{"name":"jump twice","sequence":"A 4, wait 10, A 4"},{"name":"nothing"}]}""")).GetProperty("id").GetString()!;
        await CastAsync(play, id, "ash", "jump twice");
        _time.Advance(TimeSpan.FromSeconds(10));
        await Eventually.IsAsync(async () => (await GetAsync(play, id)).GetProperty("pressed").GetInt32() == 1);
        var ended = await GetAsync(play, id);
        Assert.Equal((false, false, 1), (ended.GetProperty("open").GetBoolean(), ended.TryGetProperty("left", out _), ended.GetProperty("choices")[0].GetProperty("ballots").GetInt32()));
        Assert.Equal(2, await play.EdgesAsync(A));
        await RefusedAsync(play, id, "gary", "nothing", HttpStatusCode.Conflict, "vote-ended", $"The vote {id} has ended, and an owner can open another. GET /v2/votes lists");
        for (var more = 0; more < EmulatorVotes.Max; more++)
        {
            await OpenAsync(play, """{"choices":[{"name":"yes"},{"name":"no"}]}""");
            _time.Advance(TimeSpan.FromSeconds(10));
        }

        Assert.Equal(EmulatorVotes.Max, (await play.AskGatewayAsync(HttpMethod.Get, "/v2/votes")).GetProperty("votes").GetArrayLength());
        await RefusedAsync(play, id, "gary", "nothing", HttpStatusCode.NotFound, "no-such-vote", id);
    }

    [Fact]
    public async Task Anarchy_PressesEachBallot_OneAfterTheOther()
    {
        await using var play = await StartAsync();
        var id = (await OpenAsync(play, """{"mode":"anarchy","keys":["A","Left","Right"],"times":3}""")).GetProperty("id").GetString()!;
        foreach (var choice in new[] { "a3", "left", "RIGHT", " A " })
        {
            Assert.True((await CastAsync(play, id, "ash", choice)).GetProperty("queued").GetBoolean());
        }

        await Eventually.IsAsync(async () => (await GetAsync(play, id)).GetProperty("pressed").GetInt32() == 4);
        Assert.Equal((4, 1, 1), (await play.EdgesAsync(A), await play.EdgesAsync(Left), await play.EdgesAsync(Right)));
        var vote = await GetAsync(play, id);
        Assert.Equal((4, 1, 2), (vote.GetProperty("ballots").GetInt32(), vote.GetProperty("voters").GetInt32(), vote.GetProperty("choices")[0].GetProperty("ballots").GetInt32()));
        Assert.Equal("""{"voter":"ash","choice":"A","times":3}""", vote.GetProperty("recent")[0].GetRawText());
        await RefusedAsync(play, id, "ash", "A03", HttpStatusCode.BadRequest, "bad-request", "\"A03\" is no choice");
        await RefusedAsync(play, id, "ash", "A4", HttpStatusCode.BadRequest, "bad-request", "\"A4\" is no choice; the choices are A, Right, Left, each with 1 to 3 after it for how many times.");
    }

    [Fact]
    public async Task Ballots_OfManyAtOnce_AreEachCountedOnce()
    {
        const int Voters = 200;
        const int Each = 5;
        await using var play = await StartAsync();
        var id = (await OpenAsync(play, """{"mode":"anarchy","keys":["A","B","Up","Down"]}""")).GetProperty("id").GetString()!;
        string[] choices = ["A", "B", "Up", "Down"];
        await Parallel.ForEachAsync(Enumerable.Range(0, Voters), TestContext.Current.CancellationToken, async (voter, _) =>
        {
            for (var ballot = 0; ballot < Each; ballot++)
            {
                await CastAsync(play, id, $"voter {voter}", choices[(voter + ballot) % choices.Length]);
            }
        });
        var vote = await GetAsync(play, id);
        Assert.Equal((Voters * Each, Voters), (vote.GetProperty("ballots").GetInt32(), vote.GetProperty("voters").GetInt32()));
        Assert.All(vote.GetProperty("choices").EnumerateArray(), choice => Assert.Equal(Voters * Each / choices.Length, choice.GetProperty("ballots").GetInt32()));
        await Eventually.IsAsync(async () => await GetAsync(play, id) is var now && now.GetProperty("pressed").GetInt32() + now.GetProperty("dropped").GetInt32() == Voters * Each);
    }

    [Fact]
    public async Task Ballot_SentAgainUnderItsKey_IsCountedOnce()
    {
        await using var play = await StartAsync();
        var id = (await OpenAsync(play, """{"mode":"anarchy","choices":[{"name":"yes"}]}""")).GetProperty("id").GetString()!;
        for (var time = 0; time < 2; time++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, $"/v2/votes/{id}/ballots") { Content = new StringContent("""{"voter":"ash","choice":"yes"}""", System.Text.Encoding.UTF8, "application/json") };
            request.Headers.Add("Idempotency-Key", "one");
            using var answer = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
            Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        }

        Assert.Equal(1, (await GetAsync(play, id)).GetProperty("ballots").GetInt32());
    }

    [Fact]
    public async Task Vote_WhileAnotherHolderHasTheLease_CountsAndSaysWhyItDoesNotPress()
    {
        await using var play = await StartAsync();
        var id = (await OpenAsync(play, """{"mode":"anarchy","keys":["A"]}""")).GetProperty("id").GetString()!;
        await play.SendAsync(HttpMethod.Post, "/v2/lease", "{}", "bot-1");
        await CastAsync(play, id, "ash", "A");
        await Eventually.IsAsync(async () => (await GetAsync(play, id)).TryGetProperty("problem", out _));
        var vote = await GetAsync(play, id);
        Assert.Equal((1, 0), (vote.GetProperty("ballots").GetInt32(), vote.GetProperty("pressed").GetInt32()));
        Assert.Contains("bot-1", vote.GetProperty("problem").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "bot-1");
        await CastAsync(play, id, "ash", "A");
        await Eventually.IsAsync(async () => await GetAsync(play, id) is var now && now.GetProperty("pressed").GetInt32() == 1 && !now.TryGetProperty("problem", out _));
        Assert.Equal(1, await play.EdgesAsync(A));
    }

    [Fact]
    public async Task Delete_OfAVoteInMidPress_ReleasesItsKeys()
    {
        await using var play = await StartAsync();
        var vote = await OpenAsync(play, """{"mode":"anarchy","keys":["A"],"frames":600}""");
        var id = vote.GetProperty("id").GetString()!;
        for (var ballot = 0; ballot < 5; ballot++)
        {
            await CastAsync(play, id, "ash", "A");
        }

        await Eventually.IsAsync(async () => await play.EdgesAsync(A) == 1);
        Assert.Equal($"vote-{id}", vote.GetProperty("holder").GetString());
        await play.AskGatewayAsync(HttpMethod.Delete, $"/v2/votes/{id}");
        Assert.Equal(0, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
        await play.WaitAsync(20);
        Assert.Equal(1, await play.EdgesAsync(A));
    }

    [Fact]
    public async Task Presses_OfAVote_WaitForThoseOfTheOneBeforeIt()
    {
        const int StartAndSelect = 0b1100;
        await using var play = await StartAsync();
        var first = (await OpenAsync(play, """{"choices":[{"name":"ss","sequence":"Start+Select 600"}],"seconds":1}""")).GetProperty("id").GetString()!;
        await CastAsync(play, first, "ash", "ss");
        _time.Advance(TimeSpan.FromSeconds(1));
        await Eventually.IsAsync(async () => (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32() == StartAndSelect);

        var second = (await OpenAsync(play, """{"choices":[{"name":"ab","sequence":"A+B 60"}],"mode":"anarchy"}""")).GetProperty("id").GetString()!;
        await CastAsync(play, second, "ash", "ab");
        await CastAsync(play, second, "ash", "ab");
        await play.WaitAsync(20);
        Assert.Equal(2, (await GetAsync(play, second)).GetProperty("waiting").GetInt32());
        Assert.Equal(StartAndSelect, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());

        await play.AskGatewayAsync(HttpMethod.Delete, $"/v2/votes/{first}");
        await Eventually.IsAsync(async () => (await GetAsync(play, second)).GetProperty("pressed").GetInt32() == 2);
        Assert.Equal(2, await play.EdgesAsync(A));
    }

    [Fact]
    public async Task Gateway_ThatStops_ReleasesTheKeysOfItsVote()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using (var gateway = await GatewayHost.ReadyAsync(emulator.Port))
        {
            var play = new HttpPlay(gateway.Client);
            var id = (await play.SendAsync("/v2/votes", """{"mode":"anarchy","keys":["B"],"frames":600}""")).GetProperty("id").GetString();
            await play.SendAsync($"/v2/votes/{id}/ballots", """{"voter":"ash","choice":"b"}""");
            await Eventually.IsAsync(async () => (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32() != 0);
        }

        await using var next = await GatewayHost.ReadyAsync(emulator.Port);
        Assert.Equal(0, (await new HttpPlay(next.Client).GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
    }

    [Fact]
    public async Task Voter_WhoIsBlocked_IsRefusedUntilTheTimeIsOver()
    {
        await using var play = await StartAsync();
        var id = (await OpenAsync(play, """{"choices":[{"name":"yes"}],"seconds":1000}""")).GetProperty("id").GetString()!;
        Assert.Equal("""{"voter":"Gary <b>","left":60}""", (await play.AskGatewayAsync(HttpMethod.Put, "/v2/voters/Gary%20%3Cb%3E", """{"seconds":60}""")).GetRawText());
        await play.AskGatewayAsync(HttpMethod.Put, "/v2/voters/mallory", "{}");
        await RefusedAsync(play, id, "gary <B>", "yes", HttpStatusCode.Forbidden, "voter-blocked", "Gary <b> is blocked for 60.0 s more.");
        _time.Advance(TimeSpan.FromSeconds(60));
        await CastAsync(play, id, "gary <B>", "yes");
        Assert.Equal("""[{"voter":"mallory"}]""", (await play.AskGatewayAsync(HttpMethod.Get, "/v2/voters")).GetProperty("voters").GetRawText());
        await RefusedAsync(play, id, "mallory", "yes", HttpStatusCode.Forbidden, "voter-blocked", "mallory is blocked. DELETE /v2/voters/{voter} unblocks, with");
        await play.AskGatewayAsync(HttpMethod.Delete, "/v2/voters/mallory");
        await play.SendAsync(HttpMethod.Delete, "/v2/voters/mallory", status: HttpStatusCode.NotFound);
        await CastAsync(play, id, "mallory", "yes");
    }

    [Fact]
    public async Task Voter_WithSpacesAroundTheName_IsTheVoter()
    {
        await using var play = await StartAsync();
        var id = (await OpenAsync(play, """{"choices":[{"name":"yes"}]}""")).GetProperty("id").GetString()!;
        await play.AskGatewayAsync(HttpMethod.Put, "/v2/voters/gary%20", "{}");
        await RefusedAsync(play, id, " gary", "yes", HttpStatusCode.Forbidden, "voter-blocked", "gary is blocked.");
        await CastAsync(play, id, "ash ", "yes");
        await RefusedAsync(play, id, "ash", "yes", HttpStatusCode.Conflict, "already-voted", "ash has voted");
    }

    [Theory]
    [InlineData("a/b")]
    [InlineData("a%2fb")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("  ")]
    [InlineData("\\uFEFF")]
    [InlineData("ga\\u200Bry")]
    [InlineData("ga\\nry")]
    [InlineData("ga\\uDB40\\uDC41ry")]
    public async Task Voter_WhoCouldNotBeBlocked_IsRefused(string voter)
    {
        await using var play = await StartAsync();
        var id = (await OpenAsync(play, """{"choices":[{"name":"yes"}]}""")).GetProperty("id").GetString()!;
        await RefusedAsync(play, id, voter, "yes", HttpStatusCode.BadRequest, "bad-request", "none of them / or a control or invisible character, and not . or ..");
    }

    [Theory]
    [InlineData("a%2Fb")]
    [InlineData("a%252fb")]
    [InlineData("%20")]
    [InlineData("ga%E2%80%8Bry")]
    public async Task Block_OfWhatIsNoVoter_IsRefused(string voter)
    {
        await using var play = await StartAsync();
        var problem = await play.SendAsync(HttpMethod.Put, $"/v2/voters/{voter}", "{}", status: HttpStatusCode.BadRequest);
        Assert.Contains("expected a name", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Open_WhileAVoteIsOpen_SaysWhich()
    {
        await using var play = await StartAsync();
        var id = (await OpenAsync(play, """{"keys":["A"]}""")).GetProperty("id").GetString();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/votes", """{"keys":["A"]}""", status: HttpStatusCode.Conflict);
        Assert.Equal("urn:mgba-bridge:problem:vote-open", problem.GetProperty("type").GetString());
        Assert.Contains($"The vote {id} of this emulator is open", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{}", "There are 0 choices")]
    [InlineData("""{"keys":["A"],"choices":[{"name":"a"}]}""", "\"A\" is the name of two choices")]
    [InlineData("""{"keys":["A","a"]}""", "keys: a key is there twice")]
    [InlineData("""{"keys":"Up+A+Up"}""", "keys: a key is there twice")]
    [InlineData("""{"keys":["A"],"choices":[{"name":"a3"}],"mode":"anarchy","times":3}""", "\"a3\" is a choice, and \"a\" pressed 3 times")]
    [InlineData("""{"choices":[{"name":" a"}]}""", "begins or ends with a space")]
    [InlineData("""{"choices":[{"name":"long","sequence":"A 601"}]}""", "takes 601 frames")]
    [InlineData("""{"choices":[{"name":"none","sequence":""}]}""", "takes 0 frames")]
    [InlineData("""{"choices":[{"name":"reset","sequence":"A 1, Start+Select+A+B 4"}]}""", "reset presses A+B+Select+Start together")]
    [InlineData("""{"choices":[{"name":"x","sequence":"C 4"}]}""", "is not a step")]
    [InlineData("""{"keys":["A"],"mode":"anarchy","repeat":true}""", "repeat is for a democracy")]
    [InlineData("""{"keys":["A"],"times":3}""", "times is for an anarchy")]
    [InlineData("""{"keys":["A"],"mode":"monarchy"}""", "democracy or anarchy")]
    [InlineData("""{"keys":["A"],"seconds":0}""", "seconds is 0")]
    public async Task Open_OfWhatIsNoVote_IsRefusedWithASentence(string json, string part)
    {
        await using var gateway = GatewayHost.Start(1);
        using var response = await gateway.Client.PostAsync("/v2/votes", new StringContent(json, System.Text.Encoding.UTF8, "application/json"), TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        var problem = JsonDocument.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
        Assert.Contains(part, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private Task<Play> StartAsync() => Play.StartAsync(services => services.AddSingleton(new VoteRegistry(_time)));

    private static Task<JsonElement> OpenAsync(Play play, string json) => play.AskGatewayAsync(HttpMethod.Post, "/v2/votes", json);

    private static Task<JsonElement> GetAsync(Play play, string id) => play.AskGatewayAsync(HttpMethod.Get, $"/v2/votes/{id}");

    private static string Ballot(string voter, string choice) => $$"""{"voter":"{{voter}}","choice":"{{choice}}"}""";

    private static Task<JsonElement> CastAsync(Play play, string id, string voter, string choice) => play.AskGatewayAsync(HttpMethod.Post, $"/v2/votes/{id}/ballots", Ballot(voter, choice));

    private static async Task RefusedAsync(Play play, string id, string voter, string choice, HttpStatusCode status, string name, string part)
    {
        var problem = await play.SendAsync(HttpMethod.Post, $"/v2/votes/{id}/ballots", Ballot(voter, choice), status: status);
        Assert.Equal($"urn:mgba-bridge:problem:{name}", problem.GetProperty("type").GetString());
        Assert.Contains(part, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private sealed class HttpPlay(HttpClient client)
    {
        public async Task<JsonElement> GetAsync(string path) => JsonDocument.Parse(await client.GetStringAsync(path, TestContext.Current.CancellationToken)).RootElement;

        public async Task<JsonElement> SendAsync(string path, string json)
        {
            using var response = await client.PostAsync(path, new StringContent(json, System.Text.Encoding.UTF8, "application/json"), TestContext.Current.CancellationToken);
            return JsonDocument.Parse(await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
        }
    }
}
