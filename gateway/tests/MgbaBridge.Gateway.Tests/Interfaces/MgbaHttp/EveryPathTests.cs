using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.MgbaHttp;

/// <summary>All 62 paths, and two of older versions, on the real emulator. What they answer follows from mGBA-http's table and from the README of our test ROM.</summary>
public sealed partial class EveryPathTests(MgbaHttpWorld world) : IClassFixture<MgbaHttpWorld>
{
    // 0x02000090 is always 0xC0FFEE42, 0x020000A0 says HELLO MGBA, 0x02010000 and up is nobody's
    private static readonly (string Call, Said Expected)[] Memory =
    [
        ("GET /core/read8?address=0x02000090", Said.Ok("66")),
        ("GET /core/read16?address=33554576", Said.Ok("60994")),
        ("GET /core/read32?address=0x02000090", Said.Ok("3237998146")),
        ("GET /core/readrange?address=0x020000A0&length=10", Said.Ok("48,45,4c,4c,4f,20,4d,47,42,41")),
        ("GET /core/readRange?ADDRESS=0X020000a0&Length=0x2", Said.Ok("48,45")),
        ("POST /core/write8?address=0x02010000&value=255", Said.Ok()),
        ("POST /core/write8?address=0x02010001&value=-2", Said.Ok()),
        ("POST /core/write16?address=0x02010002&value=4660", Said.Ok()),
        ("POST /core/write32?address=0x02010004&value=3735928559", Said.Ok()),
        ("GET /core/readrange?address=0x02010000&length=8", Said.Ok("ff,fe,34,12,ef,be,ad,de")),
        ("GET /memorydomain/read8?memoryDomain=wram&address=0x10000", Said.Ok("255")),
        ("GET /memorydomain/read16?memoryDomain=wram&address=65538", Said.Ok("4660")),
        ("GET /memorydomain/read32?memoryDomain=wram&address=0x10004", Said.Ok("3735928559")),
        ("POST /memorydomain/write8?memoryDomain=wram&address=0x10010&value=1", Said.Ok()),
        ("POST /memorydomain/write16?memoryDomain=wram&address=0x10012&value=65535", Said.Ok()),
        ("POST /memorydomain/write32?memoryDomain=wram&address=0x10014&value=16909060", Said.Ok()),
        ("GET /memorydomain/readrange?memoryDomain=wram&address=0x10010&length=8", Said.Ok("01,00,ff,ff,04,03,02,01")),
        ("GET /memorydomain/base?memoryDomain=iwram", Said.Ok("50331648")),
        ("GET /memorydomain/bound?memoryDomain=iwram", Said.Ok("50364416")),
        ("GET /memorydomain/size?memoryDomain=iwram", Said.Ok("32768")),
        ("GET /memorydomain/name?memoryDomain=iwram", Said.Ok("IWRAM")),
        ("GET /memorydomain/name?memoryDomain=nope", Said.ScriptError),
        ("GET /memorydomain/name?memoryDomain=a%20b", Said.ScriptError),
        ("GET /memorydomain/read8?memoryDomain=nope&address=0", Said.ScriptError),
        ("GET /memorydomain/read8?memoryDomain=wram&address=0x50000", Said.Ok("255")),
        ("GET /memorydomain/readrange?memoryDomain=wram&address=0x02010004&length=4", Said.Ok("ef,be,ad,de")),
        ("POST /memorydomain/write8?memoryDomain=wram&address=0x50020&value=7", Said.Ok()),
        ("GET /core/read8?address=0x102010020", Said.Ok("7")),
        ("GET /memorydomain/readrange?memoryDomain=wram&address=0x40000&length=-1", Said.Bad("length is -1; expected 0 to 4194304 bytes.")),
        ("POST /memorydomain/write8?memoryDomain=io&address=0x301&value=128", Said.Ok()),
        ("POST /memorydomain/write8?memoryDomain=cart0&address=0x100000&value=1", Said.ScriptError),
        ("GET /coreadapter/memory", Said.Ok("cart2,wram,cart0,oam,iwram,bios,vram,io,palette,cart1")),
    ];

    private static readonly (string Call, Said Expected)[] Core =
    [
        ("GET /core/getgametitle", Said.Ok("MGBABRIDGE")),
        ("GET /core/getgamecode", Said.Ok("AGB-BBTE")),
        ("GET /core/platform", Said.Ok("0")),
        ("GET /core/romsize", Said.Ok("4096")),
        ("GET /core/checksum", Said.Ok("1378192596")), // zlib's crc32 of the file
        ("GET /core/framecycles", Said.Ok("280896")),
        ("GET /core/frequency", Said.Ok("16777216")),
        ("POST /core/writeregister?regName=r8&value=-5", Said.Ok()),
        ("GET /core/readregister?regName=r8", Said.Ok("-5")),
        ("POST /core/writeregister?regName=lmao&value=1", Said.Ok()),
        ("POST /core/writeregister?regName=r8&value=0", Said.Ok()),
        ("GET /core/readregister?regName=", Said.ScriptError),
        ("POST /core/step", Said.Ok()),
        ("POST /core/runFrame", Said.Ok()),
        ("POST /core/autoloadsave", Said.Ok("true")),
        ("POST /core/loadsavefile?path={folder}/other.sav&temporary=true", Said.Ok("true")),
        ("POST /core/loadsavefile?path={folder}/none/other.sav&temporary=False", Said.Ok()),
        ("POST /core/autoloadsave", Said.Ok("true")),
        ("POST /core/savestateslot?slot=1", Said.Ok("true")),
        ("POST /core/loadstateslot?slot=0x1&flags=29", Said.Ok("true")),
        ("POST /core/savestatefile?path={folder}/a.ss&flags=31", Said.Ok("true")),
        ("POST /core/loadstatefile?path={folder}/a.ss", Said.Ok("true")),
        ("POST /core/loadstatefile?path={folder}/none.ss", Said.Ok()),
        ("POST /core/savestatefile?path=", Said.ScriptError),
        ("POST /core/savestateslot?slot=1&flags=x", Said.Bad("Failed to bind parameter \"Nullable<int> flags\" from \"x\".")),
        ("POST /core/savestateslot?slot=one", Said.ScriptError),
        ("POST /console/log?message=one", Said.Ok()),
        ("POST /console/warn?message=two", Said.Ok()),
        ("POST /console/error?message=three", Said.Ok()),
    ];

    private static readonly (string Call, Said Expected)[] Keys =
    [
        ("POST /core/addkeys?keyBitmask=12", Said.Ok()),
        ("GET /core/getkeys", Said.Ok("12")),
        ("POST /core/addkey?key=9", Said.Ok()),
        ("POST /core/addkey?key=9", Said.Ok()),
        ("GET /mgba-http/button/getall", Said.Ok("L,Start,Select")),
        ("POST /core/clearkey?key=9", Said.Ok()),
        ("GET /core/getkey?key=9", Said.Ok("0")),
        ("POST /core/clearkeys?keyBitmask=4", Said.Ok()),
        ("GET /core/getkeys", Said.Ok("8")),
        ("POST /core/setkeys?keys=0", Said.Ok()),
        ("POST /mgba-http/button/add?button=Up", Said.Ok()),
        ("GET /mgba-http/button/get?button=up", Said.Ok("1")),
        ("GET /mgba-http/button/get?button=7", Said.Ok("0")),
        ("POST /mgba-http/button/addmany?buttons=A&buttons=b", Said.Ok()),
        ("GET /core/getkeys", Said.Ok("67")),
        ("POST /mgba-http/button/clear?button=Up", Said.Ok()),
        ("POST /mgba-http/button/clearmany?buttons=A&buttons=B", Said.Ok()),
        ("GET /mgba-http/button/getall", Said.Ok()),
        ("POST /mgba-http/button/addmany", Said.ScriptError),
        ("POST /mgba-http/button/addmany?buttons=A&buttons=Nope", Said.Bad("Failed to bind parameter \"ButtonEnum[] buttons\" from \"Nope\".")),
        ("POST /mgba-http/button/addmany?buttons=", Said.Bad("Failed to bind parameter \"ButtonEnum[] buttons\" from \"\".")),
        ("POST /mgba-http/button/holdmany", Said.Bad("Required parameter \"int duration\" was not provided from query string.")),
        ("POST /mgba-http/button/hold?button=99&duration=1", Said.ScriptError),
        ("GET /core/getkey", Said.Bad("Required parameter \"int key\" was not provided from query string.")),
        ("GET /core/getkey?key=1&key=2", Said.Bad("Failed to bind parameter \"int key\" from \"1,2\".")),
        ("GET /core/getkey?%6Bey=+1", Said.Ok("0")),
        ("POST /core/addkey?key=12", Said.Ok()),
        ("GET /core/getkeys", Said.Ok("0")),
    ];

    // those whose answers the facts below and PressTests look at more closely
    private static readonly string[] Elsewhere =
    [
        "POST /mgba-http/button", "POST /mgba-http/button/tap", "POST /mgba-http/button/tapmany", "POST /mgba-http/button/hold", "POST /mgba-http/button/holdmany",
        "POST /core/screenshot", "POST /core/savestatebuffer", "POST /core/loadstatebuffer", "GET /core/currentframe", "POST /coreadapter/reset",
        "POST /core/loadfile", "POST /mgba-http/extension/loadfile",
    ];

    [Fact]
    public Task MemoryPaths_OnTheTestRom_AnswerWhatIsThere() => world.AllAsync(Memory);

    [Fact]
    public Task CorePaths_OnTheTestRom_AnswerWhatMgbaSays() => world.AllAsync(Core);

    [Fact]
    public Task KeyPaths_OneAfterTheOther_ShowWhatIsHeld() => world.AllAsync(Keys);

    [Fact]
    public void Paths_OfMgbaHttp_AreAllDriven()
    {
        var driven = Memory.Concat(Core).Concat(Keys).Where(row => row.Expected.Status == 200).Select(row => row.Call.Split('?')[0]).Concat(Elsewhere);
        Assert.Equal(64, driven.Distinct(StringComparer.OrdinalIgnoreCase).Count());
    }

    [Theory]
    [InlineData("core/read8?address=0x02000090")]
    [InlineData("CORE/Read8/?address=0x02000090")]
    [InlineData("i/1/core/read8?address=0x02000090")]
    public async Task Routes_InAnyCaseAndBelowAnEmulator_MeanTheSame(string path) =>
        Assert.Equal(Said.Ok("66"), await world.CallAsync($"GET /{path}"));

    [Fact]
    public async Task Emulator_ThatIsNotThere_Is404() =>
        Assert.Equal(404, (await world.CallAsync("GET /i/nobody/core/read8?address=0x02000090")).Status);

    [Theory]
    [InlineData("log", "comma, \"quote\" \\ 100% + <|END|> ünïcödé 日本")]
    [InlineData("warn", "[brackets")]
    [InlineData("error", "line, with,, commas,,")]
    public async Task Console_WithAnyText_ShowsItWhole(string level, string text)
    {
        Assert.Equal(Said.Ok(), await world.CallAsync($"POST /console/{level}?message={Uri.EscapeDataString(text)}"));
        await Eventually.Is(() => world.Emulator.Console.Any(line => line.Contains(text, StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Console_WithPlusSigns_ShowsSpaces()
    {
        await world.CallAsync("POST /console/log?message=one+%2B+two");
        await Eventually.Is(() => world.Emulator.Console.Any(line => line.Contains("one + two", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task StateFile_WithCommaSpaceAndUnicodeInItsName_IsWrittenAndRead()
    {
        var path = Path.Combine(world.Folder, "a, b ü.ss");
        Assert.Equal(Said.Ok("true"), await world.CallAsync($"POST /core/savestatefile?path={Uri.EscapeDataString(path)}"));
        Assert.True(File.Exists(path));
        Assert.Equal(Said.Ok("true"), await world.CallAsync($"POST /core/loadstatefile?path={Uri.EscapeDataString(path)}"));
    }

    [Theory]
    [InlineData("POST /core/loadfile?path=/etc/hostname")]
    [InlineData("POST /core/screenshot?path=../x.png")]
    public async Task Path_OutsideTheFolders_IsRefusedWithTheSettingToChange(string call)
    {
        var said = await world.CallAsync(call);
        Assert.Equal((403, "text/plain"), (said.Status, said.Type));
        Assert.Matches("outside the allowed folders .*MGBA_BRIDGE_FOLDERS|omit \\. and \\.\\.", said.Body);
    }

    [Fact]
    public async Task StateBuffer_AsHexAndBack_IsTheSameState()
    {
        await world.CallAsync("POST /core/write32?address=0x02020000&value=305419896");
        var state = await world.CallAsync("POST /core/savestatebuffer?flags=30");
        Assert.Equal((200, "text/plain; charset=utf-8"), (state.Status, state.Type));
        Assert.Matches(Hex(), state.Body);
        await world.CallAsync("POST /core/write32?address=0x02020000&value=0");
        Assert.Equal(Said.Ok("true"), await world.CallAsync("POST /core/loadstatebuffer", $"[{state.Body}]", "text/plain; charset=utf-8"));
        Assert.Equal(Said.Ok("305419896"), await world.CallAsync("GET /core/read32?address=0x02020000"));
    }

    [Fact]
    public async Task StateBuffer_WithoutFlags_IsThePngThatMgbaMakes()
    {
        var state = await world.CallAsync("POST /core/savestatebuffer");
        Assert.StartsWith("89,50,4e,47,0d,0a,1a,0a,", state.Body, StringComparison.Ordinal);
        var spaced = state.Body.Replace(",", " ,\n", StringComparison.Ordinal);
        Assert.Equal(Said.Ok("true"), await world.CallAsync("POST /core/loadstatebuffer", $"[{spaced}]", "text/plain"));
    }

    [Theory]
    [InlineData("application/json", 415)]
    [InlineData("text/html", 415)]
    [InlineData("TEXT/PLAIN", 200)]
    [InlineData(null, 200)]
    public async Task LoadStateBuffer_OfAnotherType_Is415(string? type, int status) =>
        Assert.Equal(status, (await world.CallAsync("POST /core/loadstatebuffer", "[00,01]", type)).Status);

    [Fact]
    public async Task Answers_ForThoseWhoAcceptBytes_AreBytes()
    {
        var (range, rangeType) = await world.BytesAsync("GET /core/readrange?address=0x020000A0&length=10", "application/octet-stream");
        Assert.Equal("application/octet-stream", rangeType);
        Assert.Equal("HELLO MGBA"u8, range);
        var (state, _) = await world.BytesAsync("POST /core/savestatebuffer?flags=30", "application/octet-stream");
        Assert.True(state.Length > 300_000);
        var (picture, pictureType) = await world.BytesAsync("POST /core/screenshot", "image/png");
        Assert.Equal("image/png", pictureType);
        Assert.Equal([0x89, (byte)'P', (byte)'N', (byte)'G'], picture[..4]);
    }

    [Fact]
    public async Task Screenshot_ToAFile_WritesAPicture()
    {
        var path = Path.Combine(world.Folder, "shot.png");
        Assert.Equal(Said.Ok(), await world.CallAsync($"POST /core/screenshot?path={Uri.EscapeDataString(path)}"));
        Assert.Equal([0x89, (byte)'P', (byte)'N', (byte)'G'], (await File.ReadAllBytesAsync(path, TestContext.Current.CancellationToken))[..4]);
    }

    [Fact]
    public async Task LoadFile_UnlikeItsExtension_LeavesTheGameRunning()
    {
        var before = await PlayedAsync();
        Assert.Equal(Said.Ok("true"), await world.CallAsync("POST /core/loadfile?path={folder}/mgba-bridge-test.gba"));
        Assert.True(await world.NumberAsync("GET /core/currentframe") >= before);
        Assert.Equal(Said.Ok("true"), await world.CallAsync("POST /mgba-http/extension/loadfile?path={folder}/mgba-bridge-test.gba"));
        Assert.True(await world.NumberAsync("GET /core/currentframe") < before);
        await world.ComesTrueAsync("GET /core/readrange?address=0x02000000&length=4", "4d,42,54,31");
    }

    [Fact]
    public async Task Reset_OfTheGame_StartsItsCountAgain()
    {
        var before = await PlayedAsync();
        Assert.Equal(Said.Ok(), await world.CallAsync("POST /coreadapter/reset"));
        Assert.True(await world.NumberAsync("GET /core/currentframe") < before);
        await world.ComesTrueAsync("GET /core/readrange?address=0x02000000&length=4", "4d,42,54,31");
    }

    /// <summary>Lets the game play so many frames that a busy machine does not play them again before the next request. Returns their number.</summary>
    private async Task<long> PlayedAsync()
    {
        await world.Emulator.ControlAsync("fps", "0");
        await Eventually.IsAsync(async () => await world.NumberAsync("GET /core/currentframe") >= 1_200);
        await world.Emulator.ControlAsync("fps", "60");
        return await world.NumberAsync("GET /core/currentFrame");
    }

    [GeneratedRegex("^[0-9a-f]{2}(,[0-9a-f]{2}){300000,}$")]
    private static partial Regex Hex();
}
