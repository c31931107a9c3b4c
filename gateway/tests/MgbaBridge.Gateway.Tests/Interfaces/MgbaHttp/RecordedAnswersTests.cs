namespace MgbaBridge.Gateway.Tests.Interfaces.MgbaHttp;

/// <summary>
/// Every row that was recorded from a real mGBA-http 0.10.0, in its order. What belonged to the ROM of that recording is what our test ROM
/// has; button names in any case are accepted here, so <c>start</c> does not fail; paths are in the allowed folder.
/// </summary>
public sealed class RecordedAnswersTests(MgbaHttpWorld world) : IClassFixture<MgbaHttpWorld>
{
    private static readonly (string Call, Said Expected)[] Rows =
    [
        ("GET /core/getgametitle", Said.Ok("MGBABRIDGE")),
        ("GET /core/getgamecode", Said.Ok("AGB-BBTE")),
        ("GET /core/platform", Said.Ok("0")),
        ("GET /core/romsize", Said.Ok("4096")),
        ("GET /core/checksum", Said.Ok("1378192596")),
        ("GET /core/framecycles", Said.Ok("280896")),
        ("GET /core/frequency", Said.Ok("16777216")),
        ("POST /core/write8?address=0x0203FF00&value=200", Said.Ok()),
        ("GET /core/read8?address=0x0203FF00", Said.Ok("200")),
        ("GET /core/read8?address=33816320", Said.Ok("200")),
        ("POST /core/write32?address=0x0203FF04&value=4294967295", Said.Ok()),
        ("GET /core/read32?address=0x0203FF04", Said.Ok("4294967295")),
        ("GET /core/readrange?address=0x0203FF00&length=9", Said.Ok("c8,00,00,00,ff,ff,ff,ff,00")),
        ("GET /core/readrange?address=0x0203FF00&length=0", Said.Ok()),
        ("GET /core/readregister?regName=lmao", Said.Ok()),
        ("GET /coreadapter/memory", Said.Ok("cart2,wram,cart0,oam,iwram,bios,vram,io,palette,cart1")),
        ("GET /memorydomain/base?memoryDomain=wram", Said.Ok("33554432")),
        ("GET /memorydomain/name?memoryDomain=wram", Said.Ok("EWRAM")),
        ("POST /core/addkey?key=4", Said.Ok()),
        ("GET /core/getkey?key=4", Said.Ok("1")),
        ("GET /core/getkeys", Said.Ok("16")),
        ("POST /core/setkeys?keys=9", Said.Ok()),
        ("GET /mgba-http/button/getall", Said.Ok("Start,A")),
        ("GET /mgba-http/button/get?button=start", Said.Ok("1")),
        ("POST /core/setkeys?keys=0", Said.Ok()),
        ("GET /mgba-http/button/getall", Said.Ok()),
        ("GET /mgba-http/button/get?button=0", Said.Ok("0")),
        ("POST /mgba-http/button/tap?button=Nope", Said.Bad("Failed to bind parameter \"ButtonEnum button\" from \"Nope\".")),
        ("POST /mgba-http/button/tap", Said.Bad("Required parameter \"ButtonEnum button\" was not provided from query string.")),
        ("POST /mgba-http/button/tap?button=", Said.Bad("Failed to bind parameter \"ButtonEnum button\" from \"\".")),
        ("GET /core/read8", Said.Bad("Required parameter \"string address\" was not provided from query string.")),
        ("GET /core/read8?address=", Said.ScriptError),
        ("GET /core/read8?address=zzz", Said.ScriptError),
        ("POST /core/write8?address=0x02000000&value=abc", Said.Bad("Failed to bind parameter \"int value\" from \"abc\".")),
        ("POST /core/write32?address=0x02000000&value=-1", Said.Bad("Failed to bind parameter \"uint value\" from \"-1\".")),
        ("POST /core/write32?address=0x02000000&value=4294967296", Said.Bad("Failed to bind parameter \"uint value\" from \"4294967296\".")),
        ("POST /mgba-http/button/hold?button=A&duration=x", Said.Bad("Failed to bind parameter \"int duration\" from \"x\".")),
        ("POST /core/loadsavefile?path=a.sav&temporary=maybe", Said.Bad("Failed to bind parameter \"bool temporary\" from \"maybe\".")),
        ("POST /core/loadstatebuffer", Said.Bare(415)),
        ("POST /core/loadstateslot?slot=9", Said.Ok()),
        ("POST /core/savestateslot?slot=2", Said.Ok("true")),
        ("POST /core/loadfile?path={folder}/nonexistent.gba", Said.Ok()),
        ("POST /console/log?message=a,b", Said.Ok()),
        ("POST /console/log?message=", Said.ScriptError),
        ("POST /core/screenshot", Said.Bad("Required parameter \"string path\" was not provided from query string.")),
        ("GET /nothing", Said.Bare(404)),
        ("DELETE /core/read8?address=0", Said.Bare(405)),
        ("GET /mgba-http/button/tap?button=A", Said.Bare(405)),
    ];

    [Fact]
    public Task Rows_OfTheRecording_AreAnsweredTheSame() => world.AllAsync(Rows);

    [Theory]
    [InlineData("[00,01]", 200)]
    [InlineData("zz", 502)]
    [InlineData("00", 502)]
    [InlineData("[]", 502)]
    public async Task LoadStateBuffer_WithWhatIsNoState_AnswersAsRecorded(string body, int status) =>
        Assert.Equal(status == 200 ? Said.Ok() : Said.ScriptError, (await world.CallAsync("POST /core/loadstatebuffer", body, "text/plain")).FirstLine());

    [Fact]
    public async Task ProgramCounter_ReadBetweenFrames_IsAPositiveNumber() =>
        Assert.True(await world.NumberAsync("GET /core/readregister?regName=r15") > 0);

    [Theory]
    [InlineData("-1")]
    [InlineData("4294967296")]
    [InlineData("0x100000000")]
    [InlineData("4194305")]
    public async Task ReadRange_WithAnEndlessLength_IsRefusedAtOnceWithTheLimit(string length) =>
        Assert.Equal(
            Said.Bad($"length is {length}; expected 0 to 4194304 bytes."),
            await world.CallAsync($"GET /core/readrange?address=0x02000000&length={length}"));
}
