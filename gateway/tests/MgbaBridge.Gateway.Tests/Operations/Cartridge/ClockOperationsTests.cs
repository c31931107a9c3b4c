using System.Globalization;
using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Cartridge;

public sealed class ClockOperationsTests
{
    private const string Machine = "/i/machine/v2";
    private const string Fixed = "2026-02-03T04:05:06";
    private const string ReadsClock = """{"value":1}""";

    [Fact]
    public async Task Clock_IsThatOfTheMachineUnlessItIsSet()
    {
        await using var play = await Play.StartAsync();
        var clock = await play.GetAsync("/v2/clock");
        Assert.Equal("host", clock.GetProperty("mode").GetString());
        Assert.False(clock.TryGetProperty("offsetSeconds", out _));
        Assert.InRange((TimeOf(clock) - DateTime.Now).TotalSeconds, -60, 60);

        await play.SendAsync(HttpMethod.Put, "/v2/clock", """{"mode":"host","offsetSeconds":-86400}""");
        clock = await play.GetAsync("/v2/clock");
        Assert.Equal(("host", -86_400), (clock.GetProperty("mode").GetString(), clock.GetProperty("offsetSeconds").GetInt32()));
        Assert.InRange((TimeOf(clock) - DateTime.Now).TotalDays, -1.01, -0.99);

        await play.SendAsync(HttpMethod.Put, "/v2/clock", """{"mode":"fixed","time":"2099-12-31T23:59"}""");
        await play.WaitAsync(90);
        Assert.Equal("""fixed 2099-12-31T23:59:00""", await ReadAsync(play));

        await play.SendAsync(HttpMethod.Put, "/v2/clock", """{"mode":"emulated","time":"2000-01-01T00:00:00"}""");
        await play.WaitAsync(90);
        var now = await play.GetAsync("/v2/clock");
        Assert.InRange(TimeOf(now), new DateTime(2000, 1, 1, 0, 0, 1), new DateTime(2000, 1, 1, 0, 1, 0));
        await play.SendAsync(HttpMethod.Post, "/v2/reset");
        Assert.True(TimeOf(await play.GetAsync("/v2/clock")) >= TimeOf(now)); // it does not begin anew

        await play.SendAsync(HttpMethod.Put, "/v2/clock", """{"mode":"host"}""");
        Assert.StartsWith("host ", await ReadAsync(play), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{}", "mode is missing; expected host, fixed or emulated")]
    [InlineData("""{"mode":"fixed"}""", "time is missing")]
    [InlineData("""{"mode":"fixed","time":"1999-12-31T23:59:59"}""", "time is \"1999-12-31T23:59:59\"; expected a time from 2000 to 2099")]
    [InlineData("""{"mode":"emulated","time":"2100-01-01T00:00"}""", "expected a time from 2000 to 2099")]
    [InlineData("""{"mode":"emulated","time":"2026-02-30T00:00"}""", "expected a time from 2000 to 2099")]
    [InlineData("""{"mode":"emulated","time":"2026-01-01T12:00:00Z"}""", "expected a time from 2000 to 2099 without a zone")]
    [InlineData("""{"mode":"emulated","time":"2026-01-01T12:00","offsetSeconds":1}""", "offsetSeconds is for the mode host")]
    [InlineData("""{"mode":"host","time":"2026-01-01T12:00"}""", "takes no time")]
    [InlineData("""{"mode":"host","offsetSeconds":9999999999}""", "offsetSeconds is 9999999999; expected an integer from")]
    public async Task Clock_ThatCannotBe_IsRefusedWithTheRange(string body, string reason)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Put, "/v2/clock", body, status: HttpStatusCode.BadRequest);
        Assert.Contains(reason, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.StartsWith("host ", await ReadAsync(play), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Machine_OfTheOptions_IsWhatTheGameSeesAlsoAfterARestart(bool byFault)
    {
        await using var gateway = await StartAsync($$"""{"saveType":"flash1m","hardware":"rtc,light","clock":"fixed:{{Fixed}}"}""");
        await CheckAsync(gateway);
        if (byFault)
        {
            OwnedGateway.Signal((await gateway.ProcessAsync("machine")).GetProperty("pid").GetInt32(), "-KILL");
            await Eventually.IsAsync(async () => (await gateway.ProcessAsync("machine")).TryGetProperty("lastFault", out var fault) && fault.TryGetProperty("restartedAt", out _));
        }
        else
        {
            await gateway.SendAsync(HttpMethod.Post, "/v2/emulators/machine/restart");
        }

        await CheckAsync(gateway);

        static async Task CheckAsync(OwnedGateway gateway)
        {
            await RunsAsync(gateway);
            await gateway.SendAsync(HttpMethod.Put, $"{Machine}/memory/0x0200000C/u32", ReadsClock);
            await Eventually.IsAsync(async () => await NumberAsync(gateway, "0x02000014") == 0x26);
            Assert.Equal((0x26, 0x02, 0x03), (await NumberAsync(gateway, "0x02000014"), await NumberAsync(gateway, "0x02000018"), await NumberAsync(gateway, "0x0200001C")));
            Assert.Equal((0x04, 0x05, 0x06), (await NumberAsync(gateway, "0x02000024"), await NumberAsync(gateway, "0x02000028"), await NumberAsync(gateway, "0x0200002C")));
            var cartridge = (await gateway.GetAsync($"{Machine}/game")).GetProperty("cartridge");
            Assert.Equal("""{"value":"flash1m","origin":"option"}""", cartridge.GetProperty("saveType").GetRawText());
            Assert.Equal("option", cartridge.GetProperty("hardware").GetProperty("origin").GetString());
            Assert.Equal("AGB", cartridge.GetProperty("model").GetProperty("value").GetString());
            Assert.False(cartridge.TryGetProperty("mbc", out _));
        }
    }

    [Fact]
    public async Task Light_IsWhatTheGameCounts()
    {
        await using var gateway = await StartAsync("""{"hardware":"light"}""");
        await RunsAsync(gateway);
        await gateway.SendAsync(HttpMethod.Put, $"{Machine}/memory/0x0200000C/u32", """{"value":2}""");
        await Eventually.IsAsync(async () => await NumberAsync(gateway, "0x02000030") == 255);
        await gateway.SendAsync(HttpMethod.Put, $"{Machine}/sensors", """{"light":0.8}""");
        await Eventually.IsAsync(async () => await NumberAsync(gateway, "0x02000030") == 51);
    }

    [Fact]
    public async Task Hardware_ThatTheConsoleDoesNotHave_IsRefusedWithTheSentenceOfTheEmulator()
    {
        await using var gateway = await OwnedGateway.StartAsync(0);
        foreach (var (options, word) in new[] { ("\"hardware\":\"tilt\"", "hardware"), ("\"saveType\":\"sram\"", "save"), ("\"idleLoop\":\"none\"", "idle") })
        {
            var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"test.gb",{{options}}}""", HttpStatusCode.UnprocessableEntity);
            Assert.Contains(word, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }

        Assert.Empty(gateway.Supervisor.All);
    }

    [Fact]
    public async Task IdleLoop_ThatHaltsTheGameForGood_IsReportedWithTheOption()
    {
        await using var gateway = await OwnedGateway.StartAsync(0);
        var rom = new byte[4096]; // r0 = 0x10000; subs r0, 1; bne; and again, without interrupts
        foreach (var (at, code) in new[] { (0x00, "2E0000EA"), (0xAC, "54455354"), (0xB2, "96"), (0xC0, "0108A0E3010050E2FDFFFF1AFBFFFFEA") })
        {
            Convert.FromHexString(code).CopyTo(rom, at);
        }

        await File.WriteAllBytesAsync(Path.Combine(gateway.Roms, "counts.gba"), rom, TestContext.Current.CancellationToken);
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"counts.gba","id":"machine","fps":0,"idleLoop":"0x080000C4"}""");
        const string Reason = "the game is halted for good in the loop at 0x080000C4 that --idle-loop names";
        await Eventually.IsAsync(async () => (await gateway.GetAsync($"{Machine}/game")).GetProperty("cartridge").GetProperty("idleLoop") is var loop
            && loop.TryGetProperty("problem", out var problem) && problem.GetString()!.StartsWith(Reason, StringComparison.Ordinal));
        Assert.Contains((await gateway.GetAsync("/v2/emulators/machine/log")).GetProperty("lines").EnumerateArray(), line => line.GetString()!.Contains(Reason, StringComparison.Ordinal));
    }

    [Fact]
    public async Task State_OfAnotherModel_IsRefusedWithBothNames_AndWithoutAModelSaysWhoseItIs()
    {
        await using var gateway = await OwnedGateway.StartAsync(0);
        foreach (var (id, model) in new[] { ("sgb", "\"model\":\"SGB\","), ("cgb", "\"model\":\"CGB\","), ("any", "") })
        {
            await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"test.gb",{{model}}"id":"{{id}}"}""");
        }

        var state = await gateway.Client.GetByteArrayAsync("/i/sgb/v2/state", TestContext.Current.CancellationToken);
        const string Reason = "the state is of the model SGB, and --model makes this one CGB";
        var (status, refused) = await PutStateAsync(gateway, "cgb", state);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.Contains(Reason, refused, StringComparison.Ordinal);

        Assert.Equal(HttpStatusCode.OK, (await PutStateAsync(gateway, "any", state)).Status);
        var cartridge = (await gateway.GetAsync("/i/any/v2/game")).GetProperty("cartridge");
        Assert.Equal("""{"value":"SGB","origin":"state"}""", cartridge.GetProperty("model").GetRawText());
        Assert.Equal("""{"value":"host","origin":"default"}""", cartridge.GetProperty("clock").GetRawText());
        Assert.Equal("""{"value":"false","origin":"default"}""", cartridge.GetProperty("skipBios").GetRawText());
        Assert.Equal("default", cartridge.GetProperty("palette").GetProperty("origin").GetString());

        await gateway.SendAsync(HttpMethod.Post, "/i/sgb/v2/states", """{"name":"of-sgb"}""");
        var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gb","model":"CGB","state":"of-sgb"}""", HttpStatusCode.BadGateway);
        Assert.Contains(Reason, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);

        static async Task<(HttpStatusCode Status, string Text)> PutStateAsync(OwnedGateway gateway, string id, byte[] state)
        {
            using var content = new ByteArrayContent(state);
            using var answer = await gateway.Client.PutAsync(new Uri($"/i/{id}/v2/state", UriKind.Relative), content, TestContext.Current.CancellationToken);
            return (answer.StatusCode, await answer.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        }
    }

    private static async Task<OwnedGateway> StartAsync(string options)
    {
        var folder = OwnedGateway.Prepare();
        File.Copy(Repository.File("headless/roms/machine.gba"), Path.Combine(folder.FullName, "roms", "machine.gba"));
        var gateway = await OwnedGateway.StartAsync(folder, 0);
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"machine.gba","id":"machine",{{options[1..]}}""");
        return gateway;
    }

    private static Task RunsAsync(OwnedGateway gateway) => Eventually.IsAsync(async () => await NumberAsync(gateway, "0x02000008") > 0);

    private static async Task<long> NumberAsync(OwnedGateway gateway, string location) => (await gateway.GetAsync($"{Machine}/memory/{location}/u32")).GetProperty("value").GetInt64();

    private static async Task<string> ReadAsync(Play play)
    {
        var clock = await play.GetAsync("/v2/clock");
        return $"{clock.GetProperty("mode").GetString()} {clock.GetProperty("time").GetString()}";
    }

    private static DateTime TimeOf(JsonElement clock) => DateTime.ParseExact(clock.GetProperty("time").GetString()!, "s", CultureInfo.InvariantCulture);
}
