using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Emulators;

/// <summary>The ROM of a game that runs is built again.</summary>
public sealed class RebuiltRomTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Rom_BuiltAgain_IsNamedByBothChecksums_AndLoadedByARestart(bool isMoved)
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        var before = await ProcessAsync(gateway);
        var crc32 = before.GetProperty("romCrc32").GetString();
        Assert.Equal(crc32, await RunningAsync(gateway));
        Assert.False(before.TryGetProperty("newRomCrc32", out _));

        await gateway.SendAsync(HttpMethod.Put, "/v2/rewind", """{"every":60,"points":10}""");
        long? kept = null;
        await Eventually.IsAsync(async () => (kept = (await gateway.GetAsync("/v2/rewind")).GetProperty("points").EnumerateArray().Select(static point => (long?)point.GetProperty("frame").GetInt64()).FirstOrDefault()) is not null);
        await BuildAsync(gateway, isMoved);
        string? changed = null;
        await Eventually.IsAsync(async () => (changed = (await ProcessAsync(gateway)).TryGetProperty("newRomCrc32", out var found) ? found.GetString() : null) is not null);
        Assert.NotEqual(crc32, changed);
        Assert.Equal((crc32, crc32), ((await ProcessAsync(gateway)).GetProperty("romCrc32").GetString(), await RunningAsync(gateway)));
        await gateway.SendAsync(HttpMethod.Post, "/v2/reset");
        Assert.Equal(crc32, await RunningAsync(gateway));

        var restarted = (await gateway.SendAsync(HttpMethod.Post, "/v2/emulators/1/restart")).GetProperty("process");
        Assert.Equal((changed, false), (restarted.GetProperty("romCrc32").GetString(), restarted.TryGetProperty("newRomCrc32", out _)));
        Assert.Equal(changed, await RunningAsync(gateway));
        using var back = await gateway.Client.PostAsync($"/v2/rewind/{kept}", null, Cancelled); // of the build before; it is gone as soon as there is a state of the new one
        Assert.Contains(back.StatusCode, (HttpStatusCode[])[HttpStatusCode.Conflict, HttpStatusCode.NotFound]);
    }

    [Fact]
    public async Task Watch_LoadsTheNewRom_WithItsSymbols()
    {
        var folder = OwnedGateway.Prepare();
        var names = Path.Combine(folder.FullName, "roms", "test.sym");
        await File.WriteAllTextAsync(names, "02000008 counter\n02000020 presses\n", Cancelled);
        await using var gateway = await OwnedGateway.StartAsync(folder, 1, ("Owned:Watch", "true"));
        var crc32 = await RunningAsync(gateway);
        Assert.Equal("0x02000008", await PlaceAsync(gateway, "counter"));

        await File.WriteAllTextAsync(names, "02000020 counter\n", Cancelled);
        await BuildAsync(gateway, isMoved: false);
        await Eventually.IsAsync(async () => (await ProcessAsync(gateway)).GetProperty("romCrc32").GetString() != crc32);
        await Eventually.IsAsync(async () => await PlaceAsync(gateway, "counter") == "0x02000020");
        Assert.Null(await PlaceAsync(gateway, "presses"));
        Assert.NotEqual(crc32, await RunningAsync(gateway));
        Assert.Equal(0, (await ProcessAsync(gateway)).GetProperty("restarts").GetInt32()); // those after faults
    }

    private static async Task BuildAsync(OwnedGateway gateway, bool isMoved)
    {
        var rom = Path.Combine(gateway.Roms, "test.gba");
        byte[] content = [.. await File.ReadAllBytesAsync(rom, Cancelled), .. "new."u8];
        var written = isMoved ? $"{rom}.tmp" : rom;
        await using (var file = File.Create(written)) // as a linker does: empty first, then in parts
        {
            await file.WriteAsync(content.AsMemory(0, 1_000), Cancelled);
            await file.FlushAsync(Cancelled);
            await file.WriteAsync(content.AsMemory(1_000), Cancelled);
        }

        if (isMoved)
        {
            File.Move(written, rom, overwrite: true);
        }
    }

    private static async Task<JsonElement> ProcessAsync(OwnedGateway gateway) =>
        (await gateway.GetAsync("/v2/emulators")).EnumerateArray().First().GetProperty("process");

    private static async Task<string?> RunningAsync(OwnedGateway gateway) => (await gateway.GetAsync("/v2/game")).GetProperty("crc32").GetString();

    // null also while the emulator starts again
    private static async Task<string?> PlaceAsync(OwnedGateway gateway, string symbol)
    {
        using var response = await gateway.Client.GetAsync($"/v2/symbols?contains={symbol}", Cancelled);
        using var content = JsonDocument.Parse(await response.Content.ReadAsStringAsync(Cancelled));
        return content.RootElement.TryGetProperty("symbols", out var symbols) ? symbols.EnumerateArray().Select(one => one.GetProperty("location").GetString()).FirstOrDefault() : null;
    }
}
