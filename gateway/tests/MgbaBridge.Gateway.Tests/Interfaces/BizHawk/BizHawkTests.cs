using System.Security.Cryptography;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.BizHawk;

public sealed class BizHawkTests
{
    private const string Cell = "0x02001000";

    [Fact]
    public async Task Requests_OfEveryType_AreAnsweredInOrder()
    {
        var settings = BizHawkClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await BizHawkClient.ConnectAsync(settings);
        var rom = CryptographicOperations.HashData(HashAlgorithmName.SHA1, await File.ReadAllBytesAsync(Repository.File("headless/roms/mgba-bridge-test.gba"), TestContext.Current.CancellationToken));

        Assert.Equal(
            $$$"""[{"type":"PONG"},{"type":"SYSTEM_RESPONSE","value":"GBA"},{"type":"PREFERRED_CORES_RESPONSE","value":{}},{"type":"HASH_RESPONSE","value":"{{{Convert.ToHexString(rom)}}}"},{"type":"MEMORY_SIZE_RESPONSE","value":294912},{"type":"DISPLAY_MESSAGE_RESPONSE"},{"type":"SET_MESSAGE_INTERVAL_RESPONSE"},{"type":"LOCKED"},{"type":"UNLOCKED"},{"type":"ERROR","err":"Unknown command: DANCE"}]""",
            await client.AskAsync("""[{"type":"PING"},{"type":"SYSTEM"},{"type":"PREFERRED_CORES"},{"type":"HASH"},{"type":"MEMORY_SIZE","domain":"Combined WRAM"},{"type":"DISPLAY_MESSAGE","message":"h\u00e9llo"},{"type":"SET_MESSAGE_INTERVAL","value":0.5},{"type":"LOCK"},{"type":"UNLOCK"},{"type":"DANCE"}]"""));
        Assert.Equal(
            """[{"type":"WRITE_RESPONSE"},{"type":"READ_RESPONSE","value":"AQID"}]""",
            await client.AskAsync("""[{"type":"WRITE","address":4096,"value":"AQID","domain":"EWRAM"},{"type":"READ","address":33558528,"size":3,"domain":"System Bus"}]"""));
        var status = await play.AskGatewayAsync(HttpMethod.Get, "/v2/status");
        var connected = Assert.Single(status.GetProperty("clients").EnumerateArray().ToArray());
        Assert.Equal(("bizhawk", "READ", 3), (connected.GetProperty("protocol").GetString(), connected.GetProperty("last").GetString(), connected.GetProperty("requests").GetInt32()));
    }

    [Fact]
    public async Task GameBoy_ByItsDomains_ReadsTheSameAsTheBus()
    {
        var settings = BizHawkClient.Settings();
        await using var play = await Play.StartGameBoyAsync(settings);
        using var client = await BizHawkClient.ConnectAsync(settings);

        var answers = await client.SendAsync("""[{"type":"SYSTEM"},{"type":"READ","address":308,"size":11,"domain":"ROM"},{"type":"READ","address":308,"size":11,"domain":"System Bus"},{"type":"MEMORY_SIZE","domain":"ROM"},{"type":"READ","address":65535,"size":3,"domain":"System Bus"},{"type":"READ","address":8176,"size":16,"domain":"WRAM"},{"type":"READ","address":57328,"size":16,"domain":"System Bus"}]""");

        Assert.StartsWith("GB", answers[0].GetProperty("value").GetString());
        Assert.Equal(answers[1].GetProperty("value").GetString(), answers[2].GetProperty("value").GetString());
        Assert.Equal(32_768, answers[3].GetProperty("value").GetInt32());
        Assert.Equal(3, answers[4].GetProperty("value").GetBytesFromBase64().Length);
        Assert.Equal(answers[5].GetProperty("value").GetString(), answers[6].GetProperty("value").GetString());
        Assert.Contains(answers[5].GetProperty("value").GetBytesFromBase64(), static value => value != 0); // the stack
    }

    [Fact]
    public async Task Guard_ThatDoesNotHold_AnswersForAllThatFollow()
    {
        var settings = BizHawkClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await BizHawkClient.ConnectAsync(settings);
        await client.AskAsync("""[{"type":"WRITE","address":4096,"value":"AQID","domain":"EWRAM"}]""");

        var failed = await client.AskAsync("""[{"type":"READ","address":4096,"size":1,"domain":"EWRAM"},{"type":"GUARD","address":4096,"expected_data":"AQ==","domain":"EWRAM"},{"type":"GUARD","address":4097,"expected_data":"CQ==","domain":"EWRAM"},{"type":"WRITE","address":4096,"value":"/w==","domain":"EWRAM"},{"type":"PING"}]""");
        var after = await client.AskAsync("""[{"type":"WRITE","address":4098,"value":"BA==","domain":"EWRAM"},{"type":"GUARD","address":4096,"expected_data":"AQIE","domain":"EWRAM"},{"type":"READ","address":4096,"size":3,"domain":"EWRAM"}]""");
        var gap = await client.AskAsync("""[{"type":"GUARD","address":0,"expected_data":"AA==","domain":"nothing"},{"type":"GUARD","address":0,"expected_data":"AQ==","domain":"nothing"}]""");

        Assert.Equal("""[{"type":"READ_RESPONSE","value":"AQ=="},{"type":"GUARD_RESPONSE","value":true,"address":4096},{"type":"GUARD_RESPONSE","value":false,"address":4097},{"type":"GUARD_RESPONSE","value":false,"address":4097},{"type":"GUARD_RESPONSE","value":false,"address":4097}]""", failed);
        Assert.Equal("""[{"type":"WRITE_RESPONSE"},{"type":"GUARD_RESPONSE","value":true,"address":4096},{"type":"READ_RESPONSE","value":"AQIE"}]""", after);
        Assert.Equal("""[{"type":"GUARD_RESPONSE","value":true,"address":0},{"type":"GUARD_RESPONSE","value":false,"address":0}]""", gap);
    }

    [Fact]
    public async Task Memory_BeyondADomain_ReadsAsZerosAndIgnoresWrites()
    {
        var settings = BizHawkClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await BizHawkClient.ConnectAsync(settings);

        Assert.Equal(
            """[{"type":"READ_RESPONSE","value":"AAAA"},{"type":"READ_RESPONSE","value":"AAA="},{"type":"WRITE_RESPONSE"},{"type":"WRITE_RESPONSE"},{"type":"READ_RESPONSE","value":""}]""",
            await client.AskAsync("""[{"type":"READ","address":8388608,"size":3,"domain":"ROM"},{"type":"READ","address":-2,"size":2,"domain":"EWRAM"},{"type":"WRITE","address":8388608,"value":"AQID","domain":"ROM"},{"type":"WRITE","address":0,"value":"AQID","domain":"nothing"},{"type":"READ","address":0,"size":0,"domain":"EWRAM"}]"""));
    }

    [Fact]
    public async Task GuardedWrites_OfClientsOfTwoGateways_AreNeitherLostNorDoneWithoutTheGuard()
    {
        const int Increments = 500;
        var (settings, otherSettings) = (BizHawkClient.Settings(), BizHawkClient.Settings());
        await using var play = await Play.StartAsync(settings);
        await using var other = await GatewayHost.ReadyAsync(play.Emulator.Port, otherSettings);
        using var client = await BizHawkClient.ConnectAsync(settings);
        using var otherClient = await BizHawkClient.ConnectAsync(otherSettings);
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Cell}/u32", """{"value":0}""");

        async Task ByBizHawk(BizHawkClient client)
        {
            for (var done = 0; done < Increments;)
            {
                var old = (await client.SendAsync("""[{"type":"READ","address":4096,"size":4,"domain":"EWRAM"}]"""))[0].GetProperty("value").GetBytesFromBase64();
                var next = Convert.ToBase64String(BitConverter.GetBytes(BitConverter.ToInt32(old) + 1));
                var answers = await client.SendAsync($$"""[{"type":"GUARD","address":4096,"expected_data":"{{Convert.ToBase64String(old)}}","domain":"EWRAM"},{"type":"WRITE","address":4096,"value":"{{next}}","domain":"EWRAM"}]""");
                done += answers[0].GetProperty("value").GetBoolean() ? 1 : 0;
            }
        }

        async Task ByHttp()
        {
            for (var done = 0; done < Increments;)
            {
                var old = await play.ReadAsync(Cell);
                using var content = new StringContent($$$"""{"items":[{"guard":{"location":"{{{Cell}}}","type":"u32","value":{{{old}}}}},{"write":{"location":"{{{Cell}}}","type":"u32","value":{{{old + 1}}}}}]}""", System.Text.Encoding.UTF8, "application/json");
                using var response = await play.RawAsync(HttpMethod.Post, "/v2/batch", content);
                done += response.IsSuccessStatusCode ? 1 : 0;
            }
        }

        await Task.WhenAll(ByBizHawk(client), ByBizHawk(otherClient), ByHttp());

        Assert.Equal(3 * Increments, await play.ReadAsync(Cell));
    }

    [Fact]
    public async Task Lock_OfAClientThatVanishes_DoesNotFreezeTheGame()
    {
        var settings = BizHawkClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using (var client = await BizHawkClient.ConnectAsync(settings))
        {
            const string Read = """[{"type":"READ","address":8,"size":4,"domain":"EWRAM"}]""";
            Assert.Equal("""[{"type":"LOCKED"}]""", await client.AskAsync("""[{"type":"LOCK"}]"""));
            var before = await client.AskAsync(Read);
            for (var reads = 0; reads < 100; reads++)
            {
                Assert.Equal(before, await client.AskAsync(Read));
            }
        }

        await play.WaitAsync(frames: 3);
    }

    [Fact]
    public async Task Emulator_WithAClient_RefusesTheNextUntilItHasLeft()
    {
        var settings = BizHawkClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using (var first = await BizHawkClient.ConnectAsync(settings))
        {
            Assert.Null(await BizHawkClient.TryConnectAsync(settings));
        }

        using var second = await BizHawkClient.ConnectAsync(settings);
        Assert.Equal("""[{"type":"PONG"}]""", await second.AskAsync("""[{"type":"PING"}]"""));
    }

    [Fact]
    public async Task Write_OfAViewer_IsRefusedWithTheSetting()
    {
        var settings = BizHawkClient.Settings("viewer");
        await using var play = await Play.StartAsync(settings);
        using var client = await BizHawkClient.ConnectAsync(settings);

        var answers = await client.SendAsync("""[{"type":"WRITE","address":4096,"value":"AQID","domain":"EWRAM"},{"type":"READ","address":0,"size":4,"domain":"EWRAM"}]""");

        Assert.Contains("Bridge:Doors:BizHawk:Role is viewer", answers[0].GetProperty("err").GetString());
        Assert.Equal("READ_RESPONSE", answers[1].GetProperty("type").GetString());
    }

    [Fact]
    public async Task Lines_ThatAreWrong_AreAnsweredWithAnError()
    {
        var settings = BizHawkClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await BizHawkClient.ConnectAsync(settings);
        string[] lines =
        [
            "", "version", "{}", "[", "[1]", "[{}]", "[{\"type\":1}]", """[{"type":"READ"}]""", """[{"type":"READ","address":1.5,"size":1,"domain":"ROM"}]""",
            """[{"type":"READ","address":0,"size":-1,"domain":"ROM"}]""", """[{"type":"READ","address":0,"size":1048577,"domain":"ROM"}]""",
            """[{"type":"READ","address":0,"size":4,"domain":5}]""", """[{"type":"WRITE","address":0,"value":"*","domain":"EWRAM"}]""",
            """[{"type":"WRITE","address":0,"domain":"EWRAM"}]""", """[{"type":"DISPLAY_MESSAGE"}]""", """[{"type":"\ud800"}]""", new string('[', 100_000), "\0\u0001\u00ff",
        ];
        foreach (var line in lines)
        {
            Assert.Equal("ERROR", (await client.SendAsync(line))[0].GetProperty("type").GetString());
        }

        Assert.Equal("[]", await client.AskAsync("[]"));
        Assert.Null(await client.AskAsync(new string('x', 1_100_000)));
        using var next = await BizHawkClient.ConnectAsync(settings);
        Assert.Equal("""[{"type":"PONG"}]""", await next.AskAsync("""[{"type":"PING"}]"""));
    }
}
