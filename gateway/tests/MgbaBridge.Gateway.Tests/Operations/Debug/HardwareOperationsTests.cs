using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Operations.Debug;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Debug;

public sealed class HardwareOperationsTests
{
    private const int Machine = 0x61000; // bytes of a state; behind them is when it was made

    [Fact]
    public async Task Hardware_OfAGba_IsWhatTheGameWrote()
    {
        await using var play = await Play.StartAsync();
        await HoldAsync(play);
        await WriteAsync(play, "0x04000008", 0x5F8D); // BG0CNT
        await WriteAsync(play, "0x04000020", 0xFF00); // BG2PA
        await WriteAsync(play, "0x04000050", 0x2241); // BLDCNT
        await WriteAsync(play, "0x04000204", 0x4317); // WAITCNT
        var hardware = await play.GetAsync("/v2/debug/hardware");
        Assert.Equal("gba", hardware.GetProperty("platform").GetString());
        Assert.False(hardware.TryGetProperty("banks", out _));
        Assert.Equal(["display", "sound", "dma", "timers", "keys", "interrupts", "memory"], hardware.GetProperty("parts").EnumerateArray().Select(part => part.GetProperty("name").GetString()));
        Assert.Equal(
            """{"name":"BG0CNT","address":"0x04000008","value":24461,"fields":[{"name":"priority","value":1},{"name":"tiles","value":3,"meaning":"0x0600C000"},{"name":"mosaic","value":0},{"name":"colors","value":1,"meaning":"256"},{"name":"map","value":31,"meaning":"0x0600F800"},{"name":"size","value":1,"meaning":"512x256"}]}""",
            Register(hardware, "BG0CNT").GetRawText());
        Assert.Equal(-256, Field(hardware, "BG2PA", "dx").Value);
        Assert.Equal((1, "blend"), Field(hardware, "BLDCNT", "effect"));
        Assert.Equal((1, null), Field(hardware, "BLDCNT", "secondBg1"));
        Assert.Equal((3, "8"), Field(hardware, "WAITCNT", "sram"));
        Assert.Equal((1, null), Field(hardware, "WAITCNT", "prefetch"));
    }

    [Fact]
    public async Task Hardware_OfDmaAndTimers_IsThatOfTheDevices()
    {
        await using var play = await Play.StartAsync();
        await HoldAsync(play);
        await WriteAsync(play, "0x040000D4", 0x02001000, "u32");
        await WriteAsync(play, "0x040000D8", 0x02002000, "u32");
        await WriteAsync(play, "0x040000DC", 4);
        await WriteAsync(play, "0x040000DE", 0x9400); // 4 words, at once
        await WriteAsync(play, "0x04000104", 0xFFF0);
        await WriteAsync(play, "0x04000106", 0x00C6); // by overflow of timer 0
        var dma = await play.GetAsync("/v2/debug/hardware?part=dma");
        Assert.Equal("dma", Assert.Single(dma.GetProperty("parts").EnumerateArray()).GetProperty("name").GetString());
        Assert.Equal((0x02001000, 0x02002000), (Register(dma, "DMA3SAD").GetProperty("value").GetInt64(), Register(dma, "DMA3DAD").GetProperty("value").GetInt64()));
        Assert.Equal((1, "32 bits"), Field(dma, "DMA3CNT_H", "width"));
        Assert.Equal((2, "256"), Field(await play.GetAsync("/v2/debug/hardware?part=timers"), "TM1CNT_H", "cycles"));
        Assert.Equal((1, null), Field(await play.GetAsync("/v2/debug/hardware?part=timers"), "TM1CNT_H", "cascade"));
    }

    [Fact]
    public async Task Hardware_OfAGameBoy_HasItsBanks()
    {
        await using var play = await Play.StartGameBoyAsync();
        await HoldAsync(play);
        await WriteAsync(play, "0xFF47", 0xE4, "u8");
        await WriteAsync(play, "0xFF07", 0x05, "u8");
        await WriteAsync(play, "0xFFFF", 0x05, "u8");
        var hardware = await play.GetAsync("/v2/debug/hardware");
        Assert.Equal("gb", hardware.GetProperty("platform").GetString());
        Assert.Equal(1, hardware.GetProperty("banks").GetProperty("rom").GetInt32());
        Assert.Equal([0L, 1L, 2L, 3L], Register(hardware, "BGP").GetProperty("fields").EnumerateArray().Select(field => field.GetProperty("value").GetInt64()));
        Assert.Equal((1, "262144 Hz"), Field(hardware, "TAC", "clock"));
        Assert.Equal((1, null), Field(hardware, "IE", "timer"));
        Assert.Equal((0, null), Field(hardware, "IE", "lcd"));
        Assert.DoesNotContain(Names(hardware), name => name == "SVBK"); // the game is for the first Game Boy
    }

    [Fact]
    public async Task Hardware_ThatWasRead_IsUndisturbed()
    {
        await using var play = await Play.StartAsync();
        await HoldAsync(play);
        var before = await play.Client.GetByteArrayAsync("/v2/state", TestContext.Current.CancellationToken);
        await play.GetAsync("/v2/debug/hardware");
        await play.GetAsync("/v2/debug/disassembly?address=0x03FFFFF0&count=1024");
        var after = await play.Client.GetByteArrayAsync("/v2/state", TestContext.Current.CancellationToken);
        Assert.Equal(before[..Machine], after[..Machine]);
    }

    [Fact]
    public async Task Hardware_ThatThisConsoleHasNot_IsRefused()
    {
        await using var play = await Play.StartAsync();
        foreach (var (part, reason) in new[] { ("serial", "has no serial"), ("door", "expected display, ") })
        {
            var problem = await play.SendAsync(HttpMethod.Get, $"/v2/debug/hardware?part={part}", status: HttpStatusCode.BadRequest);
            Assert.Contains(reason, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Fields_OfARegister_HaveBitsOfTheirOwn() => Assert.All(HardwareRegister.OfGba.Concat(HardwareRegister.OfGameBoy), register =>
    {
        var end = 0;
        foreach (var field in register.Fields)
        {
            Assert.True(field.First >= end && field.Meanings.Count <= 1 << field.Count, $"{register.Name} {field.Name}");
            end = field.First + field.Count;
        }

        Assert.True(end <= 8 * register.Size, register.Name);
    });

    [Fact]
    public void Registers_OfAConsole_HaveBytesOfTheirOwn()
    {
        foreach (var registers in new[] { HardwareRegister.OfGba, HardwareRegister.OfGameBoy })
        {
            var bytes = registers.SelectMany(register => Enumerable.Range(register.Offset, register.Size)).ToList();
            Assert.Equal(bytes.Count, bytes.Distinct().Count());
            Assert.Equal(registers.Count, registers.Select(register => register.Name).Distinct().Count());
        }
    }

    // only what the test writes changes
    private static async Task HoldAsync(Play play) => await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "reader");

    private static async Task WriteAsync(Play play, string location, long value, string type = "u16") => await play.SendAsync(HttpMethod.Put, $"/v2/memory/{location}/{type}", $$"""{"value":{{value}}}""", "reader");

    private static IEnumerable<string> Names(JsonElement hardware) =>
        hardware.GetProperty("parts").EnumerateArray().SelectMany(part => part.GetProperty("registers").EnumerateArray()).Select(register => register.GetProperty("name").GetString()!);

    private static JsonElement Register(JsonElement hardware, string name) => hardware.GetProperty("parts").EnumerateArray()
        .SelectMany(part => part.GetProperty("registers").EnumerateArray()).Single(register => register.GetProperty("name").GetString() == name);

    private static (long Value, string? Meaning) Field(JsonElement hardware, string register, string name)
    {
        var field = Register(hardware, register).GetProperty("fields").EnumerateArray().Single(field => field.GetProperty("name").GetString() == name);
        return (field.GetProperty("value").GetInt64(), field.TryGetProperty("meaning", out var meaning) ? meaning.GetString() : null);
    }
}
