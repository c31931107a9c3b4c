using System.Globalization;

namespace MgbaBridge.Gateway.Tests.Interfaces.MgbaHttp;

/// <summary>Bots for versions of mGBA-http before the newest: their requests always, and their response formats by a setting.</summary>
public sealed class OlderVersionTests(MgbaHttpWorld world) : IClassFixture<MgbaHttpWorld>
{
    private const string Json = "application/json; charset=utf-8";

    private static readonly (string Call, Said Expected)[] OlderFormatHint =
    [
        ("POST /core/addkey?key=Start", Said.Ok()),
        ("GET /core/getkey?key=start", Said.Ok("1")),
        ("GET /core/getkeys", Said.Ok("8")),
        ("POST /core/clearkey?key=Start", Said.Ok()),
        ("GET /core/getkey?key=3", Said.Ok("0")),
        ("POST /core/addkey?key=Nope", Said.Bad("Failed to bind parameter \"int key\" from \"Nope\".")),
        ("POST /core/addkey?key=A&key=B", Said.Bad("Failed to bind parameter \"int key\" from \"A,B\".")),
        ("POST /mgba-http/button/tap?key=Nope", Said.Bad("Failed to bind parameter \"ButtonEnum button\" from \"Nope\".")),
        ("POST /mgba-http/button/tap", Said.Bad("Required parameter \"ButtonEnum button\" was not provided from query string.")),
        ("POST /mgba-http/button/addmany?keys=Up&keys=L", Said.Ok()),
        ("GET /mgba-http/button/getall", Said.Ok("L,Up")),
        ("POST /mgba-http/button/clearmany?buttons=Up&keys=L", Said.Ok()),
        ("GET /mgba-http/button/getall", Said.Ok("L")),
        ("POST /core/setkeys?keys=0", Said.Ok()),
        ("POST /core/write16?address=0x02010000&value=-1", Said.Bad("Failed to bind parameter \"uint value\" from \"-1\".")),
    ];

    [Fact]
    public async Task Requests_OfOlderVersions_AreUnderstoodBesideTheNewOnes()
    {
        // ends the presses of other tests on the same emulator
        Assert.Equal(Said.Ok(), await world.CallAsync("POST /core/setkeys?keys=0"));
        await world.AllAsync(OlderFormatHint);
    }

    [Theory]
    [InlineData("/mgba-http/button?key=B", 1)]
    [InlineData("/mgba-http/button/?key=Select", 2)]
    [InlineData("/mgba-http/button/tap?key=Start", 3)]
    [InlineData("/mgba-http/button/hold?key=Right&duration=3", 4)]
    [InlineData("/mgba-http/button/tapmany?keys=Left", 5)]
    [InlineData("/mgba-http/button/holdmany?keys=Up&keys=Down&duration=2", 7)]
    public async Task Presses_InOlderForms_AreSeenByTheGame(string path, int key)
    {
        var edges = string.Create(CultureInfo.InvariantCulture, $"GET /core/read32?address={0x02000020 + (key * 4)}");
        var before = await world.NumberAsync(edges);
        Assert.Equal(Said.Ok(), await world.CallAsync("POST " + path));
        await world.ComesTrueAsync(edges, (before + 1).ToString(CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task RunFrame_IsAnsweredWhenAFrameHasPassed()
    {
        var before = await world.NumberAsync("GET /core/currentFrame");
        Assert.Equal(Said.Ok(), await world.CallAsync("POST /core/runFrame"));
        Assert.True(await world.NumberAsync("GET /core/currentFrame") > before);
    }

    [Theory]
    [InlineData("mgba-http/button/clear?button=A")]
    [InlineData("mgba-http/button/clearmany?buttons=A")]
    [InlineData("core/clearkey?key=0")]
    [InlineData("core/clearkeys?keyBitmask=1")]
    [InlineData("core/setkeys?keys=0")]
    public async Task Clear_OfAButtonThatIsHeldForALongTime_EndsThat(string path)
    {
        Assert.Equal(Said.Ok(), await world.CallAsync("POST /mgba-http/button/hold?button=A&duration=36000"));
        await world.ComesTrueAsync("GET /core/getkey?key=0", "1");
        Assert.Equal(Said.Ok(), await world.CallAsync("POST /" + path));
        Assert.Equal(Said.Ok("0"), await world.CallAsync("GET /core/getkey?key=0"));
        await world.ComesTrueAsync("GET /core/read32?address=0x0200000C", "0"); // the keys as the game reads them
    }

    [Theory]
    [InlineData("0.7")]
    [InlineData("0.4.0")]
    public async Task Formats_OfVersion4To7_AreJson(string version)
    {
        await using var gateway = await world.AnotherAsync(("Compatibility:Version", version));
        foreach (var (call, expected) in new[]
        {
            ("GET /core/readrange?address=0x020000A0&length=5", new Said(200, Json, "[72,69,76,76,79]")),
            ("GET /memorydomain/readrange?memoryDomain=wram&address=0x90&length=4", new Said(200, Json, "[66,238,255,192]")),
            ("GET /core/readrange?address=0x020000A0&length=0", new Said(200, Json, "[]")),
            ("GET /core/readregister?regName=r15", new Said(200, Json, (await world.CallAsync("GET /core/readregister?regName=r15")).Body)),
            ("GET /coreadapter/memory", new Said(200, Json, "[\"cart2\",\"wram\",\"cart0\",\"oam\",\"iwram\",\"bios\",\"vram\",\"io\",\"palette\",\"cart1\"]")),
            ("POST /core/write32?address=0x02010000&value=-2", Said.Ok()),
            ("GET /core/read32?address=0x02010000", Said.Ok("4294967294")),
            ("POST /core/write16?address=0x02010000&value=65535", Said.Ok()),
            ("POST /mgba-http/extension/loadfile?path=none.gba", Said.Ok()),
            ("GET /core/read8?address=zzz", Said.ScriptError),
        })
        {
            var said = await MgbaHttpWorld.CallAsync(gateway.Client, call);
            Assert.Equal((call, expected), (call, said.FirstLine()));
        }

        var state = await MgbaHttpWorld.CallAsync(gateway.Client, "POST /core/savestatebuffer");
        var bytes = state.Body.Trim('[', ']').Split(',').Select(number => byte.Parse(number, CultureInfo.InvariantCulture)).ToArray();
        Assert.Equal((200, Json), (state.Status, state.Type));
        Assert.Equal([0x89, (byte)'P', (byte)'N', (byte)'G'], bytes[..4]); // a state with its screenshot
    }

    [Fact]
    public async Task Formats_BeforeVersion4_AreTheBytesAsText()
    {
        await using var gateway = await world.AnotherAsync(("Compatibility:Version", "0.2.0"));
        Assert.Equal(Said.Ok("HELLO MGBA"), await MgbaHttpWorld.CallAsync(gateway.Client, "GET /core/readrange?address=0x020000A0&length=10"));
        Assert.Equal(Said.Ok("B\uFFFD\uFFFD\uFFFD"), await MgbaHttpWorld.CallAsync(gateway.Client, "GET /core/readrange?address=0x02000090&length=4"));
    }

    [Theory]
    [InlineData("0.8", 400)]
    [InlineData("0.8.0", 200)]
    [InlineData("0.8.1", 400)]
    [InlineData("0.10.0", 400)]
    public async Task Formats_FromVersion8On_AreText(string version, int ofANegativeValue)
    {
        await using var gateway = await world.AnotherAsync(("Compatibility:Version", version));
        Assert.Equal(Said.Ok("48,45"), await MgbaHttpWorld.CallAsync(gateway.Client, "GET /core/readrange?address=0x020000A0&length=2"));
        Assert.Equal(ofANegativeValue, (await MgbaHttpWorld.CallAsync(gateway.Client, "POST /core/write16?address=0x02010000&value=-1")).Status);
    }
}
