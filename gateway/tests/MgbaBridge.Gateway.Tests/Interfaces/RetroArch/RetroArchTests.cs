using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.RetroArch;

public sealed class RetroArchTests
{
    // recorded from RetroArch 1.14.0 with its mGBA core, for the test game
    [Theory]
    [InlineData("VERSION x\n", "1.14.0\n")]
    [InlineData("GET_STATUS\n", "GET_STATUS PLAYING game_boy_advance,MGBABRIDGE,crc32=52258cd4\n")]
    [InlineData("GET_CONFIG_PARAM video_fullscreen\n", "GET_CONFIG_PARAM video_fullscreen false")]
    [InlineData("GET_CONFIG_PARAM nothing\n", "GET_CONFIG_PARAM nothing unsupported")]
    [InlineData("GET_CONFIG_PARAM\n", "GET_CONFIG_PARAM  unsupported")]
    [InlineData("READ_CORE_MEMORY 0X2000000 0x4\n", "READ_CORE_MEMORY 2000000\n")]
    [InlineData("READ_CORE_MEMORY  2000000   4 \n", "READ_CORE_MEMORY 2000000 4D 42 54 31\n")]
    [InlineData("READ_CORE_MEMORY 0x2000000 4", "READ_CORE_MEMORY 2000000 4D 42 54 31\n")]
    [InlineData("READ_CORE_MEMORY 2040000 4\n", "READ_CORE_MEMORY 2040000 4D 42 54 31\n")]
    [InlineData("READ_CORE_MEMORY 203fffe 8\n", "READ_CORE_MEMORY 203fffe 00 00\n")]
    [InlineData("READ_CORE_MEMORY 203fffe 65536", "READ_CORE_MEMORY 203fffe 00 00\n")]
    [InlineData("READ_CORE_MEMORY 203fffe -1", "READ_CORE_MEMORY 203fffe 00 00\n")]
    [InlineData("READ_CORE_MEMORY\t2000000 4\nREAD_CORE_MEMORY +2000000\t4294967300", "READ_CORE_MEMORY 2000000 4D 42 54 31\n")]
    [InlineData("READ_CORE_MEMORY 2000000 4\0\nVERSION", "READ_CORE_MEMORY 2000000 4D 42 54 31\n")]
    [InlineData("READ_CORE_MEMORY 5000400 1\n", "READ_CORE_MEMORY 5000400 00\n")]
    [InlineData("READ_CORE_MEMORY 6018000 1\n", "READ_CORE_MEMORY 6018000 -1 no descriptor for address\n")]
    [InlineData("READ_CORE_MEMORY 8000000 16\n", "READ_CORE_MEMORY 8000000 32 00 00 EA 00 00 00 00 00 00 00 00 00 00 00 00\n")]
    [InlineData("READ_CORE_MEMORY 8001000 4\n", "READ_CORE_MEMORY 8001000 -1 no descriptor for address\n")]
    [InlineData("READ_CORE_MEMORY 10000000 4\n", "READ_CORE_MEMORY 10000000 -1 no descriptor for address\n")]
    [InlineData("READ_CORE_MEMORY 1ffffffff 4\n", "READ_CORE_MEMORY ffffffff -1 no descriptor for address\n")]
    [InlineData("READ_CORE_MEMORY 4000130 2\n", "READ_CORE_MEMORY 4000130 FF 03\n")]
    [InlineData("READ_CORE_RAM 30000 4\n", "READ_CORE_RAM 30000 -1\n")]
    [InlineData("WRITE_CORE_MEMORY 2030000 1 0x22 333\n", "WRITE_CORE_MEMORY 2030000 3\n")]
    [InlineData("WRITE_CORE_MEMORY 203fffe 1 2 3 4\n", "WRITE_CORE_MEMORY 203fffe 2\n")]
    [InlineData("WRITE_CORE_MEMORY 2030000\n", "WRITE_CORE_MEMORY 2030000 0\n")]
    [InlineData("WRITE_CORE_MEMORY 8000000 1\n", "WRITE_CORE_MEMORY 8000000 -1 descriptor data is readonly\n")]
    public async Task Command_IsAnsweredAsByRetroArch(string command, string answer)
    {
        var settings = RetroArchClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);

        Assert.Equal(answer, await client.SendAsync(command));
    }

    [Fact]
    public async Task Command_ThatIsWrong_IsNotAnsweredAndChangesNothing()
    {
        var settings = RetroArchClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);
        await client.SendAsync("WRITE_CORE_MEMORY 2030000 1 2 3\n");

        foreach (var command in (string[])["version", "NOSUCH", "READ_CORE_MEMORY zz 4", "READ_CORE_MEMORY 2000000", "READ_CORE_MEMORY", "READ_CORE_MEMORYX 2000000 4", "READ_CORE_MEMORY 2000000 -1",
            "READ_CORE_MEMORY 2000000 21831", "READ_CORE_MEMORY 2000000 99999999999999999999", "WRITE_CORE_MEMORY 2030000 9 x", "WRITE_CORE_MEMORY 2030000 9g", "SHOW_MSG", "PAUSE_TOGGLE x", " ", "\n\n", "\0VERSION", new string('A', 60_000)])
        {
            Assert.Empty(await client.AnswersAsync(command));
        }

        client.Send([]);
        Assert.Empty(await client.AnswersAsync($"WRITE_CORE_MEMORY 2030000 {string.Concat(Enumerable.Repeat("FF ", 700))}"));
        Assert.Equal("READ_CORE_MEMORY 2030000 01 02 03 00\n", await client.SendAsync("READ_CORE_MEMORY 2030000 4"));
        Assert.Equal("WRITE_CORE_MEMORY 2030000 1\n", await client.SendAsync("WRITE_CORE_MEMORY 2030000 7 \r\n"));
        Assert.Equal("READ_CORE_MEMORY 2030000 07 02 03 00\n", await client.SendAsync("READ_CORE_MEMORY 2030000 4\r\n"));
        Assert.Contains("""mgba_bridge_door_dropped_total{mgba_door="retroarch",mgba_emulator="1"} """, await play.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Commands_OfOneDatagram_AreAnsweredInOrderFromOneFrame()
    {
        var settings = RetroArchClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);

        var reads = string.Concat(Enumerable.Repeat("READ_CORE_MEMORY 2000008 4\n", 20));
        for (var attempt = 0; attempt < 20; attempt++)
        {
            var answers = await client.AnswersAsync(reads);
            Assert.Equal(20, answers.Length);
            Assert.Single(answers.Distinct());
        }

        var mixed = await client.AnswersAsync("WRITE_CORE_MEMORY 2030000 5\nREAD_CORE_MEMORY 2030000 1\nWRITE_CORE_MEMORY 2030000 6\nREAD_CORE_MEMORY 2030000 1");
        Assert.Equal("WRITE_CORE_MEMORY 2030000 1\nREAD_CORE_MEMORY 2030000 05\nWRITE_CORE_MEMORY 2030000 1\nREAD_CORE_MEMORY 2030000 06\n", string.Concat(mixed));
        var status = await play.AskGatewayAsync(HttpMethod.Get, "/v2/status");
        var connected = Assert.Single(status.GetProperty("clients").EnumerateArray().ToArray());
        Assert.Equal(("retroarch", "VERSION"), (connected.GetProperty("protocol").GetString(), connected.GetProperty("last").GetString()));
    }

    [Fact]
    public async Task Read_OfTheLargestLength_FitsInADatagram()
    {
        var settings = RetroArchClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);

        var answer = await client.SendAsync("READ_CORE_MEMORY 2000000 21000");

        Assert.Equal("READ_CORE_MEMORY 2000000 ".Length + (21_000 * 3), answer.Length);
    }

    [Fact]
    public async Task GameBoy_HasTheAddressesOfItsBus()
    {
        var settings = RetroArchClient.Settings();
        await using var play = await Play.StartGameBoyAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);

        Assert.Equal("GET_STATUS PLAYING game_boy,MGBABRIDGE,crc32=754533a9\n", await client.SendAsync("GET_STATUS"));
        Assert.Equal("READ_CORE_MEMORY 134 4D 47 42 41 42 52 49 44 47 45 00 00\n", await client.SendAsync("READ_CORE_MEMORY 134 12\n"));
        Assert.Equal("READ_CORE_MEMORY 3ffe FF FF\n", await client.SendAsync("READ_CORE_MEMORY 3ffe 8\n"));
        Assert.Equal("READ_CORE_MEMORY cffe 00 00\n", await client.SendAsync("READ_CORE_MEMORY cffe 8\n"));
        Assert.Equal("READ_CORE_MEMORY ffff 01\n", await client.SendAsync("READ_CORE_MEMORY ffff 2\n"));
        Assert.Equal("READ_CORE_MEMORY e000 -1 no descriptor for address\n", await client.SendAsync("READ_CORE_MEMORY e000 4\n"));
        Assert.Equal("WRITE_CORE_MEMORY d000 2\n", await client.SendAsync("WRITE_CORE_MEMORY d000 11 22\n"));
        Assert.Equal("READ_CORE_MEMORY d000 11 22\n", await client.SendAsync("READ_CORE_MEMORY d000 2\n"));
        Assert.Equal("WRITE_CORE_MEMORY c800 1\n", await client.SendAsync("WRITE_CORE_MEMORY c800 33\n"));
        Assert.Equal("READ_CORE_MEMORY d800 00\n", await client.SendAsync("READ_CORE_MEMORY d800 1\n"));
        Assert.Equal("WRITE_CORE_MEMORY 100 -1 descriptor data is readonly\n", await client.SendAsync("WRITE_CORE_MEMORY 100 11\n"));
    }

    [Fact]
    public async Task Pause_IsALeaseThatFramesAdvance()
    {
        var settings = RetroArchClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);

        client.Send("PAUSE_TOGGLE\nPAUSE_TOGGLE\n");
        Assert.StartsWith("GET_STATUS PAUSED ", await client.SendAsync("GET_STATUS"));
        await Eventually.IsAsync(async () => (await play.AskGatewayAsync(HttpMethod.Get, "/v2/status")).TryGetProperty("leaseHolder", out var leaseHolder) && leaseHolder.GetString() == "retroarch");
        var before = await FrameAsync(client);
        client.Send("FRAMEADVANCE\nFRAMEADVANCE\n");
        Assert.Equal(before + 1, await FrameAsync(client));
        Assert.Equal("WRITE_CORE_MEMORY 2030000 1\n", await client.SendAsync("WRITE_CORE_MEMORY 2030000 1"));
        client.Send("PAUSE_TOGGLE");
        Assert.StartsWith("GET_STATUS PLAYING ", await client.SendAsync("GET_STATUS"));
        await Eventually.IsAsync(async () => await FrameAsync(client) > before + 1);
        client.Send("FRAMEADVANCE");
        Assert.StartsWith("GET_STATUS PAUSED ", await client.SendAsync("GET_STATUS"));
    }

    [Fact]
    public async Task States_OfSlots_AreThoseThatTheGatewayKeeps()
    {
        var settings = RetroArchClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);
        await client.SendAsync("WRITE_CORE_MEMORY 2030000 1");
        await client.AnswersAsync("SAVE_STATE");
        await client.SendAsync("WRITE_CORE_MEMORY 2030000 2");
        await client.AnswersAsync("STATE_SLOT_PLUS\nSAVE_STATE");
        await client.SendAsync("WRITE_CORE_MEMORY 2030000 3");

        await client.AnswersAsync("LOAD_STATE");
        var second = await client.SendAsync("READ_CORE_MEMORY 2030000 1");
        Assert.Equal("LOAD_STATE_SLOT 0", Assert.Single(await client.AnswersAsync("LOAD_STATE_SLOT 0")));
        var first = await client.SendAsync("READ_CORE_MEMORY 2030000 1");
        Assert.Equal("LOAD_STATE_SLOT 9", Assert.Single(await client.AnswersAsync("LOAD_STATE_SLOT 9")));
        await client.AnswersAsync("RESET");

        Assert.Equal(("READ_CORE_MEMORY 2030000 01\n", "READ_CORE_MEMORY 2030000 02\n"), (first, second));
        string[] names = [.. (await play.AskGatewayAsync(HttpMethod.Get, "/v2/states")).GetProperty("states").EnumerateArray().Select(static state => state.GetProperty("name").GetString()!).Order()];
        Assert.Equal(["MGBABRIDGE 52258CD4.state", "MGBABRIDGE 52258CD4.state1"], names);
        await Eventually.IsAsync(async () => await FrameAsync(client) < 600);
    }

    [Fact]
    public async Task Viewer_ReadsAndChangesNothing()
    {
        var settings = RetroArchClient.Settings("viewer");
        await using var play = await Play.StartAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);

        Assert.Equal("READ_CORE_MEMORY 2000000 4D 42 54 31\n", await client.SendAsync("READ_CORE_MEMORY 2000000 4"));
        Assert.Equal("WRITE_CORE_MEMORY 2030000 -1 descriptor data is readonly\n", await client.SendAsync("WRITE_CORE_MEMORY 2030000 1"));
        Assert.Empty(await client.AnswersAsync("PAUSE_TOGGLE\nFRAMEADVANCE\nRESET\nSAVE_STATE\nSHOW_MSG hello"));
        Assert.StartsWith("GET_STATUS PLAYING ", await client.SendAsync("GET_STATUS"));
        Assert.Empty((await play.AskGatewayAsync(HttpMethod.Get, "/v2/states")).GetProperty("states").EnumerateArray());
    }

    [Fact]
    public async Task Emulator_WithoutAGame_IsContentless()
    {
        var settings = RetroArchClient.Settings();
        await using var fake = FakeScript.Start();
        fake.Behaviour = new FakeBehaviour { Answer = static request => request.Command == "game.get" ? FakeReply.Refuse("no-game", "none") : null };
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, settings);
        using var client = await RetroArchClient.ConnectAsync(settings);

        Assert.Equal("GET_STATUS CONTENTLESS", await client.SendAsync("GET_STATUS"));
        Assert.Equal("READ_CORE_MEMORY 2000000 -1 no memory map defined\n", await client.SendAsync("READ_CORE_MEMORY 2000000 4"));
    }

    [Fact]
    public async Task Datagrams_OfNoise_HarmNobody()
    {
        var settings = RetroArchClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);
        var random = new Random(1);
        for (var count = 0; count < 20_000; count++)
        {
            var noise = new byte[random.Next(200)];
            random.NextBytes(noise);
            client.Send(noise);
        }

        await Eventually.IsAsync(async () =>
        {
            client.Send("READ_CORE_MEMORY 2000000 4");
            return await client.ReceiveAsync(TimeSpan.FromSeconds(1)) == "READ_CORE_MEMORY 2000000 4D 42 54 31\n";
        });
        Assert.Equal("ready", (await play.AskGatewayAsync(HttpMethod.Get, "/v2/status")).GetProperty("state").GetString());
    }

    private static async Task<uint> FrameAsync(RetroArchClient client)
    {
        var bytes = (await client.SendAsync("READ_CORE_MEMORY 2000008 4")).Trim().Split(' ')[2..];
        return BitConverter.ToUInt32([.. bytes.Select(static text => Convert.ToByte(text, 16))]);
    }
}
