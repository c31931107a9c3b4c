using System.Buffers;
using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.States;

public sealed class SaveDataOperationsTests
{
    private const string Saved = "memory/0x0E000010/u8"; // in the save RAM of the GBA game
    private const string SavedOfGameBoy = "memory/0xA010/u8";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("test.gba", Saved, 32_768)]
    [InlineData("test.gb", SavedOfGameBoy, 8_192)]
    public async Task SaveData_IsReadAndReplaced_AndTheGameReset(string rom, string saved, int size)
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"{{rom}}","id":"game"}""");
        await Eventually.IsAsync(async () =>
        {
            await WriteAsync(gateway, saved, 71);
            return await ReadAsync(gateway, saved) == 71; // a Game Boy game switches this memory on first
        });

        var data = await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled);
        Assert.Equal((size, 71), (data.Length, data[16]));

        data[16] = 72;
        var answer = await PutAsync(gateway, data);
        Assert.Equal(size, answer.GetProperty("length").GetInt32());
        await Eventually.IsAsync(async () => await ReadAsync(gateway, saved) == 72);
        Assert.Equal(data, await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled));

        // the state before has the save data before
        var kept = await gateway.Client.GetByteArrayAsync($"/v2/states/{Uri.EscapeDataString(answer.GetProperty("kept").GetString()!)}", Cancelled);
        using var undone = await gateway.Client.PutAsync("/i/game/v2/state?flags=2", new ByteArrayContent(kept), Cancelled);
        Assert.Equal(HttpStatusCode.OK, undone.StatusCode);
        Assert.Equal(71, await ReadAsync(gateway, saved));
    }

    /// <summary>The state has the save data of its moment; the file has that of the last save.</summary>
    [Theory]
    [InlineData("bytes")]
    [InlineData("name")]
    [InlineData("slot")]
    [InlineData("fault")]
    public async Task SaveData_PutFirstAfterALoad_IsInTheGameAndTheFileAlsoWhenTheEmulatorIsKilled(string load)
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"), ("Owned:StateEvery", "00:00:01"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"game"}""");
        await WriteAsync(gateway, Saved, 71);
        var old = await gateway.Client.GetByteArrayAsync("/i/game/v2/state", Cancelled);
        await gateway.SendAsync(HttpMethod.Post, "/i/game/v2/states", """{"name":"old"}""");
        await gateway.SendAsync(HttpMethod.Post, "/i/game/v2/state/save", """{"slot":3}""");
        var data = await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled);
        await WriteAsync(gateway, Saved, 72);
        switch (load)
        {
            case "bytes":
                using (var loaded = await gateway.Client.PutAsync("/i/game/v2/state", new ByteArrayContent(old), Cancelled))
                {
                    Assert.Equal(HttpStatusCode.OK, loaded.StatusCode);
                }

                break;
            case "name":
                await gateway.SendAsync(HttpMethod.Post, "/i/game/v2/states/old/load");
                break;
            case "slot":
                await gateway.SendAsync(HttpMethod.Put, "/i/game/v2/state?slot=3");
                break;
            default:
                await KillAndContinueAsync(gateway, 1);
                break;
        }

        data[16] = 73;
        await PutAsync(gateway, data);
        Assert.Equal(data, await File.ReadAllBytesAsync(Path.Combine(gateway.Roms, "test.sav"), Cancelled));
        await KillAndContinueAsync(gateway, load == "fault" ? 2 : 1);

        Assert.Equal(73, await ReadAsync(gateway, Saved));
        await WriteAsync(gateway, "memory/0x0E000011/u8", 5); // the next save of the game
        data[17] = 5;
        Assert.Equal(data, await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled));
        await Eventually.IsAsync(async () => (await File.ReadAllBytesAsync(Path.Combine(gateway.Roms, "test.sav"), Cancelled)).SequenceEqual(data));
    }

    /// <summary>The newest state is from before, and the game continues from it.</summary>
    [Fact]
    public async Task SaveData_ThatTheGameSavedAfterTheNewestState_IsKeptWhenTheEmulatorIsKilled()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"), ("Owned:StateEvery", "00:00:01"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"game"}""");
        await WriteAsync(gateway, Saved, 71);
        await Eventually.IsAsync(async () => (await gateway.GetAsync("/i/game/v2/states")).GetProperty("states").GetArrayLength() > 1);
        await WriteAsync(gateway, Saved, 72);
        await Eventually.IsAsync(async () => (await File.ReadAllBytesAsync(Path.Combine(gateway.Roms, "test.sav"), Cancelled))[16] == 72);

        await KillAndContinueAsync(gateway, 1);

        Assert.True((await gateway.ProcessAsync("game")).GetProperty("lastFault").TryGetProperty("restoredFrom", out _));
        Assert.Equal(72, await ReadAsync(gateway, Saved));
    }

    [Fact]
    public async Task SaveData_WithTheBytesOfAClock_IsTaken()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"game"}""");
        await WriteAsync(gateway, Saved, 71);

        await PutAsync(gateway, [.. Enumerable.Repeat((byte)7, 32_768 + 16)]);

        Assert.Equal(7, await ReadAsync(gateway, Saved));
        Assert.Equal(32_768, (await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled)).Length);
    }

    /// <summary>The cartridge has a clock, and the game has not saved yet, or has.</summary>
    [Theory]
    [InlineData(48)]
    [InlineData(44)]
    [InlineData(0)]
    public async Task Clock_OfAGameBoyCartridge_GoesInAndOut(int clock)
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        await StartAsync(gateway, "test.gb", static rom =>
        {
            (rom[0x147], rom[0x149]) = (0x10, 3); // MBC3 with a clock, 32 KiB
            rom[0x14D] = rom[0x134..0x14D].Aggregate((byte)0, static (sum, value) => (byte)(sum - value - 1));
        });
        var save = Enumerable.Range(0, 32_768).Select(at => (byte)(at * 7)).ToArray();
        byte[] registers = [.. new byte[] { 11, 22, 3, 4, 0, 11, 22, 3, 4, 0 }.SelectMany(static value => new byte[] { value, 0, 0, 0 })];
        byte[] withClock = [.. save, .. registers, .. BitConverter.GetBytes(DateTimeOffset.UtcNow.ToUnixTimeSeconds())];

        Assert.Equal(32_768 + (clock == 0 ? 0 : 48), (await PutAsync(gateway, withClock[..(32_768 + clock)])).GetProperty("length").GetInt32());
        var read = await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled);
        Assert.Equal(clock == 0 ? save : withClock, read);
        var state = PngState.Unpack(new(await gateway.Client.GetByteArrayAsync("/i/game/v2/state", Cancelled))).ToArray();
        Assert.Equal(clock == 0 ? [0, 0, 0, 0] : [11, 22, 3, 4], clock == 0 ? new byte[4] : state[0x17F..0x183]);

        // and without it later: the clock continues
        save[5] = 99;
        await PutAsync(gateway, save);
        read = await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled);
        Assert.Equal(save, read[..32_768]);
        Assert.Equal(clock == 0 ? 32_768 : 32_816, read.Length);
        await PutAsync(gateway, withClock);
        Assert.Equal(withClock, await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled));
    }

    /// <summary>Other Game Boy cartridges with a clock, whose bytes mGBA writes when the game has saved.</summary>
    [Theory]
    [InlineData(0xFE, 32_768, 136)]
    [InlineData(0xFD, 32, 40)]
    public async Task Clock_OfAnotherGameBoyCartridge_GoesInAndOut(byte cartridge, int size, int clock)
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        await StartAsync(gateway, "test.gb", rom =>
        {
            (rom[0x147], rom[0x149]) = (cartridge, 3);
            rom[0x14D] = rom[0x134..0x14D].Aggregate((byte)0, static (sum, value) => (byte)(sum - value - 1));
        });
        byte[] save = [.. Enumerable.Range(0, size).Select(at => (byte)(at * 7)), .. Enumerable.Range(0, clock - 8).Select(at => (byte)(at % 6)), .. BitConverter.GetBytes(DateTimeOffset.UtcNow.ToUnixTimeSeconds())];

        await PutAsync(gateway, save);
        Assert.Equal(save, await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled));
        save[5] = 99;
        await PutAsync(gateway, save[..size]);
        Assert.Equal(save, await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled));
    }

    /// <summary>A GBA cartridge with a clock, which mGBA knows by the code in its header.</summary>
    [Fact]
    public async Task Clock_OfAGbaCartridge_GoesInAndOutAndStaysWhenTheEmulatorIsKilled()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"), ("Owned:StateEvery", "00:00:01"));
        await StartAsync(gateway, "test.gba", static rom => "AXVE"u8.CopyTo(rom.AsSpan(0xAC)));
        var save = Enumerable.Range(0, 131_072).Select(at => (byte)(at * 7)).ToArray();
        byte[] noon = [0x21, 0x06, 0x15, 0x02, 0x12, 0x00, 0x00]; // 2021-06-15, a Tuesday, in BCD
        byte[] clock = [.. noon, 0x40, .. BitConverter.GetBytes(DateTimeOffset.UtcNow.AddHours(-3).ToUnixTimeSeconds())];

        await PutAsync(gateway, save);
        Assert.Equal(save, await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled));
        Assert.Equal(131_072 + 16, (await PutAsync(gateway, [.. save, .. clock])).GetProperty("length").GetInt32());
        Assert.True((await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled)).SequenceEqual((byte[])[.. save, .. clock]));
        Assert.True((await File.ReadAllBytesAsync(Path.Combine(gateway.Roms, "changed-test.sav"), Cancelled)).SequenceEqual((byte[])[.. save, .. clock]));
        Assert.Equal(noon, await TimeAsync(gateway));

        // without a clock: it continues, also in another process
        save[5] = 99;
        await PutAsync(gateway, save);
        Assert.True((await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled)).SequenceEqual((byte[])[.. save, .. clock]));
        await KillAndContinueAsync(gateway, 1);
        Assert.True((await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled)).SequenceEqual((byte[])[.. save, .. clock]));
        await gateway.SendAsync(HttpMethod.Post, "/i/game/v2/reset");
        Assert.Equal(noon, await TimeAsync(gateway));
        await ReadClockAsync(gateway);
        Assert.Equal([.. noon[..4], 0x15], (await TimeAsync(gateway))[..5]);
    }

    [Fact]
    public async Task Clock_OfAGbaGameThatHasReadItAndNotSaved_IsReadWithTheSaveData()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        await StartAsync(gateway, "test.gba", static rom => "AXVE"u8.CopyTo(rom.AsSpan(0xAC)));
        Assert.Equal(131_072, (await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled)).Length);

        var before = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        await ReadClockAsync(gateway);
        var time = await TimeAsync(gateway);
        var read = await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled);
        Assert.Equal(131_072 + 16, read.Length);
        Assert.Equal([.. time, 0x40], read[131_072..^8]);
        Assert.InRange(BitConverter.ToInt64(read, 131_080), before, DateTimeOffset.UtcNow.ToUnixTimeSeconds());
        await PutAsync(gateway, read);
        Assert.Equal(read, await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled));
        Assert.Equal(time, await TimeAsync(gateway));
    }

    /// <summary>The files of cheat devices, of DeSmuME, and of devices that copy cartridges.</summary>
    [Theory]
    [InlineData(".sps", 32_768)]
    [InlineData(".gsv", 32_768)]
    [InlineData(".dsv", 32_768)]
    [InlineData(".sav.gz", 32_768)]
    [InlineData("compressed by RetroArch", 32_768)]
    [InlineData("header", 32_768)]
    [InlineData("header", 32_768 + 16)]
    public async Task SaveData_InAnotherForm_IsTaken(string form, int size)
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"game"}""");
        await WriteAsync(gateway, Saved, 71);
        var save = Enumerable.Range(0, size).Select(at => (byte)(at * 7)).ToArray();
        byte[] file = form switch
        {
            ".sps" => SharkPort(save),
            ".gsv" => [.. "ADVSAVEG"u8, .. new byte[20], 2, 0, 0, 0, .. new byte[12 + 0x400], .. "xV4\x12"u8, .. save],
            ".dsv" => [.. save, .. "|<--Snip above here to create a raw sav by excluding this DeSmuME savedata footer:"u8, .. new byte[24], .. "|-DESMUME SAVE-|"u8],
            ".sav.gz" => StateOperationsTests.Contained(save, "gzip"),
            "compressed by RetroArch" => StateOperationsTests.Compressed(save),
            _ => [.. new byte[512], .. save],
        };

        await PutAsync(gateway, file);
        Assert.Equal(save[..32_768], await gateway.Client.GetByteArrayAsync("/i/game/v2/save", Cancelled));
    }

    [Fact]
    public void SaveData_OfAnEepromInAFileOfACheatDevice_IsTurnedRound()
    {
        var (data, problem) = SaveFile.Read(SharkPort([.. Enumerable.Range(0, 512).Select(at => (byte)at)]), null, "gba");
        Assert.Null(problem);
        Assert.Equal([7, 6, 5, 4, 3, 2, 1, 0, 15], data![..9]);
    }

    [Theory]
    [InlineData("504B030400", "zip archive")]
    [InlineData("1F8B0800", "are compressed by gzip, and damaged or cut off")]
    [InlineData("23525A49507601", "are compressed by RetroArch, and damaged or cut off")]
    [InlineData("5241535441544501", "save state")]
    [InlineData("070000010000", "save state")]
    [InlineData("4144565341564547", "cut or damaged")]
    [InlineData("0D000000536861726B506F7274536176650000", "cut or damaged")]
    [InlineData("0D000000536861726B506F7274536176650000FFFFFFFFFFFFFFFF", "cut or damaged")]
    [InlineData("00", "one of 512, 2048")]
    public void SaveData_OfAnUnknownForm_IsNamed(string file, string expected) => Assert.Contains(expected, SaveFile.Read(Convert.FromHexString(file), null, "gba").Problem!, StringComparison.Ordinal);

    /// <summary>Also with a size that save data with a clock has.</summary>
    [Theory]
    [InlineData("PK\x3\x4", 0, "zip archive")]
    [InlineData("RASTATE\x1", 0, "save state")]
    [InlineData("\x89PNG", 0, "save state")]
    [InlineData("\xCE\xED\x66\x66\xCC\x0D\x00\x0B", 0x104, "a ROM")]
    [InlineData("\x24\xFF\xAE\x51\x69\x9A\xA2\x21", 4, "a ROM")]
    public void File_OfAnotherKind_IsNoSaveDataOfWhateverSize(string start, int at, string expected)
    {
        foreach (var size in (int[])[32_768, 32_768 + 16])
        {
            var file = new byte[size];
            Encoding.Latin1.GetBytes(start).CopyTo(file, at);
            Assert.Contains(expected, SaveFile.Read(file, new byte[32_768], "gba").Problem!, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(8_192)]
    [InlineData(32_768 + 1)]
    [InlineData(32_768 + 65)]
    [InlineData(131_072)]
    [InlineData(397_312)]
    public async Task SaveData_OfAnotherSize_IsRefused(int size)
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"game"}""");
        await WriteAsync(gateway, Saved, 71);

        using var response = await gateway.Client.PutAsync("/i/game/v2/save", new ByteArrayContent(new byte[size]), Cancelled);

        Assert.Equal(HttpStatusCode.UnprocessableEntity, response.StatusCode);
        Assert.Equal(71, await ReadAsync(gateway, Saved));
    }

    private static byte[] SharkPort(byte[] save) =>
        [.. "\x0D\0\0\0SharkPortSave"u8, 0, 0, 0x0F, 0, 4, 0, 0, 0, .. "NAME"u8, 0, 0, 0, 0, 0, 0, 0, 0, .. BitConverter.GetBytes(save.Length + 0x1C), .. new byte[0x1C], .. save, 1, 2, 3, 4];

    private static async Task StartAsync(OwnedGateway gateway, string rom, Action<byte[]> change)
    {
        var content = await File.ReadAllBytesAsync(Path.Combine(gateway.Roms, rom), Cancelled);
        change(content);
        await File.WriteAllBytesAsync(Path.Combine(gateway.Roms, $"changed-{rom}"), content, Cancelled);
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"changed-{{rom}}","id":"game"}""");
    }

    /// <summary>The time that a GBA cartridge's clock had last.</summary>
    private static async Task<byte[]> TimeAsync(OwnedGateway gateway) => PngState.Unpack(new(await gateway.Client.GetByteArrayAsync("/i/game/v2/state", Cancelled))).ToArray()[0x2B0..0x2B7];

    /// <summary>Reads it as games do: by the pins of the cartridge, the bits of the command one after another.</summary>
    private static async Task ReadClockAsync(OwnedGateway gateway)
    {
        const int Command = 0xA6;
        int[] pins = [1, 5, .. Enumerable.Range(0, 8).SelectMany(bit => new[] { 4 | ((Command >> bit) & 1) << 1, 5 | ((Command >> bit) & 1) << 1 }), 1];
        foreach (var (address, value) in (IEnumerable<(string Address, int Value)>)[("0x080000C6", 7), ("0x080000C8", 1), .. pins.Select(value => ("0x080000C4", value))])
        {
            await WriteAsync(gateway, $"memory/{address}/u16", value);
        }
    }

    private static async Task KillAndContinueAsync(OwnedGateway gateway, int restarts)
    {
        OwnedGateway.Signal((await gateway.ProcessAsync("game")).GetProperty("pid").GetInt32(), "-KILL");
        await Eventually.IsAsync(async () => await gateway.ProcessAsync("game") is var process
            && process.GetProperty("restarts").GetInt32() == restarts && process.GetProperty("lastFault").TryGetProperty("restartedAt", out _));
    }

    private static async Task<JsonElement> PutAsync(OwnedGateway gateway, byte[] data)
    {
        using var response = await gateway.Client.PutAsync("/i/game/v2/save", new ByteArrayContent(data), Cancelled);
        var text = await response.Content.ReadAsStringAsync(Cancelled);
        Assert.True(response.StatusCode == HttpStatusCode.OK, text);
        return JsonDocument.Parse(text).RootElement;
    }

    private static Task<JsonElement> WriteAsync(OwnedGateway gateway, string place, int value) => gateway.SendAsync(HttpMethod.Put, $"/i/game/v2/{place}", $$"""{"value":{{value}}}""");

    private static async Task<int> ReadAsync(OwnedGateway gateway, string place) => (await gateway.GetAsync($"/i/game/v2/{place}")).GetProperty("value").GetInt32();
}
