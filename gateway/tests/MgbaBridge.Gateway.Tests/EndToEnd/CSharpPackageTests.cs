using System.Globalization;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Tests.Support;
using MgbaBridge.Http;
using HttpGateway = MgbaBridge.Http.Gateway;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>The C# package (clients/csharp) against the gateway with two emulators, and against programs that fail.</summary>
public sealed class CSharpPackageTests(CSharpPackageTests.TwoGames games) : IClassFixture<CSharpPackageTests.TwoGames>, IAsyncLifetime
{
    private const string Counter = "u32 0x02000008";
    private const string Press = """{"frame":5,"epoch":"9f3a01c2","down":5,"up":9,"lag":0}""";

    private static readonly JsonSerializerOptions Web = new(JsonSerializerDefaults.Web);

    private readonly HttpGateway _game = new(games.Url, timeout: TimeSpan.FromMinutes(2));

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public ValueTask InitializeAsync() => default;

    public ValueTask DisposeAsync() => _game.DisposeAsync();

    public static TheoryData<string> Operations() => [.. Documented().Select(operation => operation.Name)];

    [Theory]
    [MemberData(nameof(Operations))]
    public void Operation_OfTheDocument_IsAMethodWhoseAnswerHasAllFieldsOfTheExample(string name)
    {
        var (_, _, about) = Documented().Single(operation => operation.Name == name);
        var method = MethodOf(name);
        Assert.True(method is not null, $"{name} is not a method");
        var answer = method.ReturnType.GetGenericArguments()[0];
        if (about["responses"]!["200"]!["content"]!["application/json"]?["example"] is { } example && answer != typeof(byte[]))
        {
            var parsed = JsonSerializer.Deserialize(example, answer, OperationsJson.Default);
            var written = JsonSerializer.SerializeToNode(parsed, answer, OperationsJson.Default);
            Assert.Equal(Simplified(example)?.ToJsonString(), Simplified(written)?.ToJsonString());
        }
    }

    /// <summary>All operations with the arguments of the document's examples: the gateway understands each request, and the package each response.</summary>
    [Fact]
    public async Task Operations_WithTheirExamples_AreUnderstood()
    {
        await using var owned = await OwnedGateway.StartAsync(2, ("Owned:Fps", "0"));
        await using var game = new HttpGateway(UrlOf(owned), timeout: TimeSpan.FromMinutes(2));
        var outcomes = new Dictionary<string, string>();

        // what ends the emulator comes last
        foreach (var (name, path, about) in Documented().OrderBy(operation => operation.Name == "emulators.stop"))
        {
            var method = MethodOf(name)!;
            var task = (Task)method.Invoke(game, [.. method.GetParameters().Select(parameter => ArgumentOf(parameter, about, path))])!;
            try
            {
                await task;
                outcomes[name] = "done";
            }
            catch (GatewayException exception)
            {
                outcomes[name] = $"{exception.Status} {exception.Kind}: {exception.Detail}";
            }
        }

        Assert.DoesNotContain(outcomes, outcome => outcome.Value.StartsWith("0 ", StringComparison.Ordinal));
        Assert.True(outcomes.Values.Count(outcome => outcome == "done") > 80, string.Join("\n", outcomes.Where(outcome => outcome.Value != "done")));
        string[] wrong = ["camera.set", "fleet.sessions.deleteAll", "memory.writeValue", "recordings.replay", "symbols.load"]; // neither an owner nor all, a list without a count, and bytes that are nothing
        Assert.Equal(wrong, outcomes.Where(outcome => outcome.Value.Contains("bad-request", StringComparison.Ordinal)).Select(outcome => outcome.Key).Order());
    }

    [Fact]
    public async Task Press_OfKeys_ReachesTheGame()
    {
        await NamesAsync();
        var before = await _game.ReadAsync("score", cancellationToken: Cancelled);
        var pressed = await _game.PressAsync("A", 3, cancellationToken: Cancelled);
        Assert.Equal(3, pressed.Up - pressed.Down);
        Assert.Equal(before + 17, await _game.ReadAsync("score", cancellationToken: Cancelled));
        await _game.PlayAsync("A 1, wait 3, A 1", Cancelled);
        Assert.Equal(before + (3 * 17), await _game.ReadAsync("score", cancellationToken: Cancelled));
        await _game.HoldAsync("Up+B", Cancelled);
        Assert.True(await _game.WaitAsync("u32 0x0200000C == 66", cancellationToken: Cancelled));
        await _game.ReleaseAsync(Cancelled);
        Assert.True(await _game.WaitAsync("u32 0x0200000C == 0", cancellationToken: Cancelled));
    }

    [Fact]
    public async Task Memory_ThatWasWritten_IsRead()
    {
        await NamesAsync();
        Assert.Equal(827605581, await _game.ReadAsync("0x02000000", "u32", Cancelled));
        Assert.Equal([.. "MBT1"u8.ToArray()], await _game.ReadListAsync("0x02000000", 4, cancellationToken: Cancelled));
        Assert.Equal("MBT1", await _game.ReadTextAsync("wram:0x0", 4, cancellationToken: Cancelled));
        Assert.Equal("MBT1"u8.ToArray(), await _game.ReadBytesAsync("0x02000000", 4, Cancelled));
        Assert.StartsWith("HELLO", await _game.ReadTextAsync("greeting", cancellationToken: Cancelled));
        var both = await _game.ReadAllAsync(["greeting", "score"], Cancelled);
        Assert.StartsWith("HELLO", (string)both["greeting"]!);
        Assert.Equal(await _game.ReadAsync("score", cancellationToken: Cancelled), (long)both["score"]!);

        await _game.WriteAsync("0x02010000", -2, "s16", Cancelled);
        await _game.WriteBytesAsync("0x02010002", new byte[] { 1, 2 }, Cancelled);
        await _game.WriteAsync("0x02010004", [5, 6], cancellationToken: Cancelled);
        await _game.WriteAsync("0x02010006", "AB", cancellationToken: Cancelled);
        Assert.Equal([254, 255, 1, 2, 5, 6, 65, 66], await _game.ReadBytesAsync("0x02010000", 8, Cancelled));
        Assert.Equal(-2, await _game.ReadAsync("0x02010000", "s16", Cancelled));
        await _game.StepAsync(0, "", cancellationToken: Cancelled); // the game moves the box
        await _game.WriteAsync("box", 40, cancellationToken: Cancelled);
        Assert.Equal(40, await _game.ReadAsync("box", cancellationToken: Cancelled));

        var wrong = await Assert.ThrowsAsync<InvalidOperationException>(() => _game.ReadAsync("greeting", cancellationToken: Cancelled));
        Assert.Contains("use ReadTextAsync instead of ReadAsync", wrong.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Screen_OfTheGame_IsAPngAndPixels()
    {
        Assert.Equal("PNG"u8.ToArray(), (await _game.ScreenAsync(cancellationToken: Cancelled))[1..4]);
        var pixels = await _game.PixelsAsync(cancellationToken: Cancelled);
        Assert.Equal((240, 160, 3, 240 * 160 * 3), (pixels.Width, pixels.Height, pixels.Channels, pixels.Data.Length));
        var small = await _game.PixelsAsync(grey: true, 84, 84, Cancelled);
        Assert.Equal((84, 84, 1, 84 * 84), (small.Width, small.Height, small.Channels, small.Data.Length));
    }

    [Fact]
    public async Task Step_WithAState_RepeatsTheGame()
    {
        var first = await _game.StepAsync(3, "A", [Counter, "0x02000094 u32"], Cancelled);
        var second = await _game.StepAsync(5, "", [Counter], Cancelled);
        Assert.Equal((5, 5, first.Epoch), (second.Frame - first.Frame, second.Values[0] - first.Values[0], second.Epoch));
        var state = await _game.SaveAsync(Cancelled);
        var before = await PlayedAsync();
        await _game.LoadAsync(state, Cancelled);
        Assert.Equal(before, await PlayedAsync());
        Assert.True(before[3] > before[1]);

        await _game.LeaseReleaseAsync(Cancelled);
        var refused = await RefusedAsync(_game.StepAsync(1, cancellationToken: Cancelled), "rejected", "lease");
        Assert.Equal((409, "no-lease", false), (refused.Status, refused.Code, refused.MayHaveRun));
        Assert.True((await _game.StepAsync(1, cancellationToken: Cancelled)).Frame > second.Frame);

        async Task<List<long>> PlayedAsync()
        {
            var values = new List<long>();
            foreach (var keys in new[] { "A", "", "A+B", "" })
            {
                values.Add((await _game.StepAsync(2, keys, ["u32 0x02000094"], Cancelled)).Values[0]);
            }

            return values;
        }
    }

    [Fact]
    public async Task Dispose_WithKeysAndLease_GivesThemBack()
    {
        await using (var other = new HttpGateway(games.Url, holder: "other"))
        {
            await other.HoldAsync("B", Cancelled);
            await other.StepAsync(1, cancellationToken: Cancelled);
            Assert.Equal("other", (await _game.StatusGetAsync(Cancelled)).LeaseHolder);
        }

        Assert.Null((await _game.StatusGetAsync(Cancelled)).LeaseHolder);
        Assert.Empty((await _game.KeysGetAsync(Cancelled)).Holders);
    }

    [Fact]
    public async Task Events_OfTopics_Arrive()
    {
        var isPressed = false;
        await foreach (var received in _game.EventsAsync("frame/10", "keys").WithCancellation(Cancelled))
        {
            if (received.Name == "frame" && !isPressed)
            {
                Assert.Equal("frame/10", received.Values.Topic);
                isPressed = true;
                await _game.PressAsync("L", wait: false, cancellationToken: Cancelled);
            }
            else if (received.Name == "keys" && received.Values.Keys!.Contains("L"))
            {
                Assert.True(received.Values.Frame > 0 && received.Id is not null && received.Values.Epoch.Length == 8);
                break;
            }
        }

        await foreach (var received in _game.EventsAsync("sound").WithCancellation(Cancelled))
        {
            if (received.Name == "sound")
            {
                Assert.True(received.Samples.Length > 0 && received.Samples.Length % 2 == 0);
                break;
            }
        }

        await RefusedAsync(EachAsync(_game.EventsAsync("nonsense")), "bad-request", "nonsense");
    }

    [Fact]
    public async Task Events_AfterDisposeOrCancellation_End()
    {
        var other = new HttpGateway(games.Url);
        var count = 0;
        await foreach (var received in other.EventsAsync("frame/10").WithCancellation(Cancelled))
        {
            count++;
            await other.DisposeAsync();
        }

        Assert.Equal(1, count);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Cancelled);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (var received in _game.EventsAsync("frame/10").WithCancellation(end.Token))
            {
                await end.CancelAsync();
            }
        });
    }

    [Fact]
    public async Task Refusals_OfTheGateway_AreOneSentence()
    {
        await RefusedAsync(_game.PressAsync("Z", cancellationToken: Cancelled), "bad-request", "Keys are A, B, Select");
        await RefusedAsync(_game.PressAsync("A", 0, cancellationToken: Cancelled), "bad-request", "from 1 to 36000");
        await RefusedAsync(_game.StepAsync(int.MaxValue, cancellationToken: Cancelled), "bad-request", "36000");
        Assert.Equal(404, (await RefusedAsync(_game.ReadAsync("scor", cancellationToken: Cancelled), "no-such-name", "scor")).Status);
        Assert.Equal("bad-address", (await RefusedAsync(_game.ReadAsync("0x1FFFFFFFF", cancellationToken: Cancelled), "rejected")).Code);
        await RefusedAsync(_game.LoadAsync("nowhere", Cancelled), "no-such-state", "nowhere");
        await RefusedAsync(_game.LoadAsync(new byte[] { 1, 2, 3 }, Cancelled), "rejected", "state");
        await RefusedAsync(_game.Emulator("nobody").StatusGetAsync(Cancelled), "no-such-emulator", "nobody");
        await RefusedAsync(_game.KeysTapAsync([null!], cancellationToken: Cancelled), "bad-request", "Keys are");
        var wrong = await Assert.ThrowsAsync<ArgumentException>(() => _game.StepAsync(1, reads: ["u33 0x02000000"], cancellationToken: Cancelled));
        Assert.Contains("u33 0x02000000", wrong.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("127.0.0.1:5000")]
    [InlineData("ftp://127.0.0.1")]
    [InlineData("http://")]
    [InlineData("http://127.0.0.1:5000?x=1")]
    [InlineData("http://me:secret@127.0.0.1:5000")]
    [InlineData("")]
    public void Url_ThatCannotBeUsed_IsRefused(string url) =>
        Assert.Contains("http://127.0.0.1:5000.", Assert.Throws<ArgumentException>(() => new HttpGateway(url)).Message, StringComparison.Ordinal);

    [Fact]
    public void Arguments_ThatCannotBeUsed_AreRefused()
    {
        Assert.Throws<ArgumentException>("token", () => new HttpGateway(games.Url, token: "two words"));
        Assert.Throws<ArgumentException>("holder", () => new HttpGateway(games.Url, holder: "bot\n1"));
        Assert.Throws<ArgumentException>("id", () => _game.Emulator(""));
        Assert.Throws<ArgumentOutOfRangeException>(() => new HttpGateway(games.Url, timeout: TimeSpan.Zero));
    }

    [Fact]
    public async Task Token_OfTheGateway_IsNeeded()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var secured = await GatewayHost.ReadyAsync(emulator.Port, ("Http:Token", "a-token-of-the-tests"));
        foreach (var token in new[] { null, "another-token-than-that" })
        {
            await using var refused = new HttpGateway(UrlOf(secured), token);
            Assert.Equal(401, (await RefusedAsync(refused.PressAsync("A", cancellationToken: Cancelled), "token-needed", "oken")).Status);
            await RefusedAsync(EachAsync(refused.EventsAsync("frame")), "token-needed", "oken");
        }

        await using var game = new HttpGateway(UrlOf(secured), "a-token-of-the-tests");
        Assert.True((await game.PressAsync("A", cancellationToken: Cancelled)).Down > 0);
        await foreach (var received in game.EventsAsync("frame").WithCancellation(Cancelled))
        {
            Assert.Equal("frame", received.Name);
            break;
        }
    }

    [Fact]
    public async Task Gateway_ThatEnds_EndsRequestsAndEvents()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        var host = await GatewayHost.ReadyAsync(emulator.Port);
        var url = UrlOf(host);
        await using var game = new HttpGateway(url);
        var events = game.EventsAsync("frame").GetAsyncEnumerator(Cancelled);
        await using (events.ConfigureAwait(false))
        {
            Assert.True(await events.MoveNextAsync());
            await host.DisposeAsync();
            await RefusedAsync(RestAsync(), "unreachable", url);
        }

        var refused = await RefusedAsync(game.PressAsync("A", cancellationToken: Cancelled), "unreachable", url, "mgba-bridge run");
        Assert.Equal((0, false), (refused.Status, refused.MayHaveRun));

        async Task RestAsync()
        {
            while (await events.MoveNextAsync())
            {
            }
        }
    }

    [Fact]
    public async Task AnotherProgram_AtTheUrl_IsRecognized()
    {
        foreach (var answer in new[] { "HTTP/1.1 404 -\r\nContent-Length: 2\r\n\r\nno", "SSH-2.0-OpenSSH\r\n", ScriptedServer.Json("{"), ScriptedServer.Json("null"), ScriptedServer.Json("{}"), ScriptedServer.Json("{", 400) })
        {
            await using var server = new ScriptedServer(answer);
            await using var game = new HttpGateway(server.Url);
            Assert.Contains("is not a gateway", (await RefusedAsync(game.PressAsync("A", cancellationToken: Cancelled), "unreachable", server.Url)).Detail, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Response_ThatDoesNotArrive_IsOneSentence()
    {
        await using var server = new ScriptedServer(ScriptedServer.Silence);
        await using var game = new HttpGateway(server.Url, timeout: TimeSpan.FromMilliseconds(50));
        Assert.True((await RefusedAsync(game.StatusGetAsync(Cancelled), "timeout", "0.05 s")).MayHaveRun);
    }

    [Fact]
    public async Task Cancellation_OfAWait_EndsIt()
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Cancelled);
        var waiting = _game.WaitAsync("u32 0x02000000 == 0", 36000, end.Token);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        await using var server = new ScriptedServer(ScriptedServer.Silence);
        await using var game = new HttpGateway(server.Url);
        using var endOther = CancellationTokenSource.CreateLinkedTokenSource(Cancelled);
        var silent = game.PressAsync("A", cancellationToken: endOther.Token);
        await Eventually.Is(() => !server.Heads.IsEmpty);
        await endOther.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => silent);
        Assert.Single(server.Heads);
    }

    [Fact]
    public async Task Problem_WithRetryAfter_SaysWhen()
    {
        await using var server = new ScriptedServer(ScriptedServer.Json("""{"type":"urn:mgba-bridge:rate-limited","title":"","status":429,"detail":"Too many.","next":"status.get"}""", 429, "Retry-After: 7\r\n"));
        await using var game = new HttpGateway(server.Url);
        var refused = await RefusedAsync(game.StatusGetAsync(Cancelled), "rate-limited", "Too many.");
        Assert.Equal((TimeSpan.FromSeconds(7), "status.get", 429), (refused.RetryAfter, refused.Next, refused.Status));
    }

    [Fact]
    public async Task Effect_AfterALostConnection_IsSentAgainWithTheSameKey()
    {
        await using var server = new ScriptedServer("", ScriptedServer.Json(Press));
        await using var game = new HttpGateway(server.Url);
        Assert.Equal(9, (await game.PressAsync("A", cancellationToken: Cancelled)).Up);
        var keys = server.HeaderOf("Idempotency-Key").ToArray();
        Assert.Equal((2, 1), (keys.Length, keys.Distinct().Count()));
        Assert.NotNull(keys[0]);
        Assert.True((await RefusedAsync(game.PressAsync("A", cancellationToken: Cancelled), "unreachable", "may have run")).MayHaveRun);
        Assert.Equal(4, server.Heads.Count);
        Assert.Equal(2, server.HeaderOf("Idempotency-Key").Distinct().Count());
    }

    /// <summary>HttpClient by itself would send a request without a body again when a connection that it kept ends.</summary>
    [Theory]
    [InlineData("lease.step")]
    [InlineData("lease.release")]
    [InlineData("emulators.restart")]
    [InlineData("emulators.stop")]
    public async Task EffectWithoutKey_AfterALostConnection_IsNotSentAgain(string name)
    {
        await using var server = new ScriptedServer(ScriptedServer.Json(Press), "");
        await using var game = new HttpGateway(server.Url);
        await game.PressAsync("A", cancellationToken: Cancelled);
        Task sent = name switch
        {
            "lease.step" => game.LeaseStepAsync(1, cancellationToken: Cancelled),
            "lease.release" => game.LeaseReleaseAsync(Cancelled),
            "emulators.restart" => game.EmulatorsRestartAsync("1", Cancelled),
            _ => game.EmulatorsStopAsync("1", Cancelled),
        };
        Assert.True((await RefusedAsync(sent, "unreachable", "may have run")).MayHaveRun);
        Assert.Equal(2, server.Heads.Count);
        Assert.Null(server.HeaderOf("Idempotency-Key").Last());
    }

    [Fact]
    public async Task Presses_OverConnectionsThatBreak_RunAtMostOnce()
    {
        await using var link = CutLink.To(new Uri(games.Url).Port, about: 1500);
        await using var game = new HttpGateway(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{link.Port}"), timeout: TimeSpan.FromMinutes(2));
        var before = await _game.ReadAsync("0x02000020", "u32", Cancelled);
        var (answered, unknown) = (0, 0);
        for (var press = 0; press < 200; press++)
        {
            try
            {
                await game.PressAsync("A", 2, cancellationToken: Cancelled);
                answered++;
            }
            catch (GatewayException exception) when (exception.Kind == "unreachable")
            {
                unknown += exception.MayHaveRun ? 1 : 0;
            }
        }

        await _game.WaitAsync(frames: 20, cancellationToken: Cancelled);
        var ran = await _game.ReadAsync("0x02000020", "u32", Cancelled) - before;
        Assert.True(link.Cuts > 20 && answered > 100, $"{link.Cuts} cuts, {answered} answered");
        Assert.InRange(ran, answered, answered + unknown);
    }

    [Fact]
    public async Task Requests_AtTheSameTime_GetTheirOwnResponses()
    {
        await _game.WriteBytesAsync("0x02010000", Enumerable.Range(0, 256).Select(value => (byte)value).ToArray(), Cancelled);
        var read = await Task.WhenAll(Enumerable.Range(0, 256).Select(at => _game.ReadAsync($"0x{0x02010000 + at:X}", cancellationToken: Cancelled)));
        Assert.Equal(Enumerable.Range(0, 256).Select(value => (long)value), read);
        var steps = await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => _game.StepAsync(1, cancellationToken: Cancelled)));
        Assert.Equal(16, steps.Select(step => step.Frame).Distinct().Count());
    }

    [Fact]
    public async Task Emulators_OfOneGateway_AreApart()
    {
        var second = _game.Emulator("2");
        Assert.Same(second, _game.Emulator("2"));
        Assert.Equal(("1", "2"), ((await _game.StatusGetAsync(Cancelled)).Id, (await second.StatusGetAsync(Cancelled)).Id));
        Assert.Equal(2, (await second.EmulatorsListAsync(Cancelled)).Count);
        var (first, other) = (await _game.ReadAsync("0x02000020", "u32", Cancelled), await second.ReadAsync("0x02000020", "u32", Cancelled));
        await second.PressAsync("A", cancellationToken: Cancelled);
        Assert.Equal((first, other + 1), (await _game.ReadAsync("0x02000020", "u32", Cancelled), await second.ReadAsync("0x02000020", "u32", Cancelled)));
        await foreach (var received in second.EventsAsync("frame/60").WithCancellation(Cancelled))
        {
            Assert.Equal("frame", received.Name);
            break;
        }

        await Task.WhenAll(_game.StepAsync(5, cancellationToken: Cancelled), second.StepAsync(5, cancellationToken: Cancelled));
        await using var third = new HttpGateway(games.Url);
        await RefusedAsync(third.Emulator("2").PressAsync("A", cancellationToken: Cancelled), "leased", _game.Holder);
    }

    private static async Task<GatewayException> RefusedAsync(Task task, string kind, params string[] words)
    {
        var refused = await Assert.ThrowsAsync<GatewayException>(() => task);
        Assert.Equal(kind, refused.Kind);
        Assert.All(words, word => Assert.Contains(word, refused.Detail, StringComparison.Ordinal));
        Assert.DoesNotContain('\n', refused.Detail);
        return refused;
    }

    private static async Task EachAsync(IAsyncEnumerable<GameEvent> events)
    {
        await foreach (var received in events.WithCancellation(Cancelled))
        {
            Assert.NotNull(received.Name);
        }
    }

    private static string UrlOf(OwnedGateway gateway) => UrlOf(gateway.Host);

    private static string UrlOf(GatewayHost host) => host.Client.BaseAddress!.ToString();

    private async Task NamesAsync()
    {
        await _game.SymbolsLoadAsync(await File.ReadAllBytesAsync(Repository.File("docs/examples/mgba-bridge-test.elf"), Cancelled), Cancelled);
        await _game.PropertiesLoadAsync(await File.ReadAllBytesAsync(Repository.File("docs/examples/mgba-bridge-test.json"), Cancelled), Cancelled);
    }

    private static MethodInfo? MethodOf(string operation)
    {
        var name = string.Concat(operation.Split('.', '-').Select(word => char.ToUpperInvariant(word[0]) + word[1..])) + "Async";
        return typeof(HttpGateway).GetMethods().Where(method => method.Name == name).MinBy(method => method.GetParameters().Any(parameter => parameter.ParameterType == typeof(MapBody)));
    }

    /// <summary>The operations of docs/openapi.json that are not streams.</summary>
    private static IEnumerable<(string Name, string Path, JsonNode About)> Documented() =>
        from path in JsonNode.Parse(File.ReadAllText(Repository.File("docs/openapi.json")))!["paths"]!.AsObject()
        where path.Key.StartsWith("/v2/", StringComparison.Ordinal)
        from method in path.Value!.AsObject()
        where method.Key != "head" && method.Value!["x-operation"] is not null
        let contents = method.Value["responses"]!["200"]?["content"]?.AsObject()
        where contents is { Count: > 0 } && !contents.Any(content => content.Key is "text/event-stream" || content.Key.StartsWith("multipart/", StringComparison.Ordinal) || content.Key.StartsWith("audio/", StringComparison.Ordinal))
        select ((string)method.Value["x-operation"]!, path.Key, method.Value);

    private static object? ArgumentOf(ParameterInfo parameter, JsonNode about, string path)
    {
        if (parameter.ParameterType == typeof(CancellationToken))
        {
            return Cancelled;
        }

        var (media, content) = about["requestBody"]?["content"]!.AsObject().Single() ?? default;
        if (parameter.Name == "body")
        {
            var body = media is "application/json" ? JsonSerializer.SerializeToUtf8Bytes(content!["example"]) : new byte[] { 1, 2, 3 };
            return new ReadOnlyMemory<byte>(body);
        }

        var declared = about["parameters"]?.AsArray().SingleOrDefault(one => (string?)one!["name"] == parameter.Name && (string?)one["in"] is "path" or "query");
        var example = declared is null ? content?["example"]?[parameter.Name!] : path.Contains($"{{{parameter.Name}}}", StringComparison.Ordinal) || !parameter.IsOptional ? declared["example"] : null;
        return example is null && !parameter.IsOptional ? parameter.ParameterType == typeof(string) ? "1" : 1 : example.Deserialize(parameter.ParameterType, Web);
    }

    /// <summary>Objects with sorted names and without null, and times in one form.</summary>
    private static JsonNode? Simplified(JsonNode? node) => node switch
    {
        JsonObject fields => new JsonObject(fields.Where(field => field.Value is not null).OrderBy(field => field.Key, StringComparer.Ordinal).Select(field => KeyValuePair.Create(field.Key, Simplified(field.Value)))),
        JsonArray items => new JsonArray([.. items.Select(Simplified)]),
        JsonValue value when value.TryGetValue<DateTimeOffset>(out var time) => JsonValue.Create(time),
        _ => node?.DeepClone(),
    };

    /// <summary>A gateway with two games as fast as possible, for all tests of the class.</summary>
    public sealed class TwoGames : IAsyncLifetime
    {
        private OwnedGateway? _gateway;

        internal string Url => UrlOf(_gateway!);

        public async ValueTask InitializeAsync() => _gateway = await OwnedGateway.StartAsync(2, ("Owned:Fps", "0"));

        public ValueTask DisposeAsync() => _gateway!.DisposeAsync();
    }
}
