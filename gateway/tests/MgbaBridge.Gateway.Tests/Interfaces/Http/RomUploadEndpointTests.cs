using System.IO.Compression;
using System.Net;
using System.Text.Json;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http;

/// <summary><c>POST /v2/roms</c>, and what can be done with an uploaded ROM.</summary>
public sealed class RomUploadEndpointTests
{
    private static readonly byte[] Rom = File.ReadAllBytes(Repository.File("headless/roms/mgba-bridge-test.gba"));
    private static readonly byte[] GameBoyRom = File.ReadAllBytes(Repository.File("headless/roms/mgba-bridge-test.gb"));

    [Theory]
    [InlineData("Ein Spiel für zwei.gba")]
    [InlineData("plain.GBC")]
    public async Task Rom_ThatIsUploaded_IsListedStartedAndDeleted(string name)
    {
        await using var gateway = await OwnedGateway.StartAsync(0);
        var content = name.EndsWith("gba", StringComparison.Ordinal) ? Rom : GameBoyRom;

        var first = await UploadAsync(gateway, name, content);
        var again = await UploadAsync(gateway, name, content);
        Assert.Equal((name, (long)content.Length, true), (first.GetProperty("rom").GetString(), first.GetProperty("bytes").GetInt64(), first.GetProperty("isNew").GetBoolean()));
        Assert.False(again.GetProperty("isNew").GetBoolean());
        Assert.Contains(name, (await gateway.GetAsync("/v2/roms")).GetProperty("roms").EnumerateArray().Select(rom => rom.GetString()));

        var started = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", JsonSerializer.Serialize(new { rom = name }));
        Assert.Equal(Path.Combine(gateway.Data, "roms", name), started.GetProperty("process").GetProperty("rom").GetString());

        var path = $"/v2/roms/{Uri.EscapeDataString(name)}";
        Assert.Equal(name, (await gateway.SendAsync(HttpMethod.Delete, path)).GetProperty("rom").GetString());
        await gateway.SendAsync(HttpMethod.Delete, path, status: HttpStatusCode.NotFound);
        Assert.DoesNotContain(name, (await gateway.GetAsync("/v2/roms")).GetProperty("roms").EnumerateArray().Select(rom => rom.GetString()));
        Assert.True((await gateway.GetAsync($"/i/{started.GetProperty("id").GetString()}/v2/status")).GetProperty("process").GetProperty("restarts").GetInt32() == 0);
    }

    [Fact]
    public async Task Rom_LargerThanOtherBodies_IsTakenWithAnIdempotencyKeyToo()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Http:MaxBody", "65536"));
        byte[] content = [.. Rom, .. new byte[131_072]];
        foreach (var isNew in new[] { true, false })
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, "/v2/roms?name=large.gba") { Content = Play.Bytes(content) };
            request.Headers.Add("Idempotency-Key", "one");
            using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
            var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
            Assert.True(response.StatusCode == HttpStatusCode.OK, text);
            Assert.Equal(isNew, JsonDocument.Parse(text).RootElement.GetProperty("isNew").GetBoolean());
        }
    }

    [Fact]
    public async Task Zip_WithOneRom_IsThatRom()
    {
        await using var gateway = await OwnedGateway.StartAsync(0);

        var uploaded = await UploadAsync(gateway, "archive.zip", Zip(("readme.txt", [1, 2, 3]), ("folder/game.gba", Rom)));

        Assert.Equal("game.gba", uploaded.GetProperty("rom").GetString());
        Assert.Equal(Rom, await File.ReadAllBytesAsync(Path.Combine(gateway.Data, "roms", "game.gba"), TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Zip_IsTheSameGame_UploadedAndStarted()
    {
        await using var gateway = await OwnedGateway.StartAsync(0);
        (string Name, byte[] Content, string? Rom, string[] LeftOut, string? Problem)[] cases =
        [
            ("one.zip", Zip(("old.bin", [0, 1, 2, 3]), ("__MACOSX/._game.gba", [1, 2]), ("game.gba", Rom)), "game.gba", [], null),
            ("all.zip", Zip(("game.sav", [0]), ("fix.IPS", [0]), ("readme.txt", [0]), ("a/game.cht", [0]), ("game.gba", Rom)), "game.gba", ["game.sav", "fix.IPS", "game.cht"], null),
            ("cut.zip", Zip(("cut.gba", Rom[..20]), ("good.gba", Rom)), "good.gba", [], null),
            ("two.zip", Zip(("a.gba", Rom), ("b.gb", GameBoyRom)), null, [], "more than one ROM, a.gba and b.gb among them"),
            ("hidden.zip", Zip(("a.bin", Rom), ("b.gba", Rom)), null, [], "more than one ROM, a.bin and b.gba among them"), // mGBA would play the first
            ("none.zip", Zip(("readme.txt", [0])), null, [], "has no GBA, GB or GBC ROM"),
        ];
        foreach (var (name, content, rom, leftOut, problem) in cases)
        {
            var uploaded = await UploadAsync(gateway, name, content, problem is null ? HttpStatusCode.OK : HttpStatusCode.UnprocessableEntity);
            Assert.Equal(rom, problem is null ? uploaded.GetProperty("rom").GetString() : null);
            Assert.Equal(leftOut, uploaded.TryGetProperty("leftOut", out var names) ? names.EnumerateArray().Select(one => one.GetString()) : []);
            Assert.Contains(problem ?? "", problem is null ? "" : uploaded.GetProperty("detail").GetString(), StringComparison.Ordinal);

            var file = Path.Combine(gateway.Data, "roms", name); // one of the folders of ROMs
            await File.WriteAllBytesAsync(file, content, TestContext.Current.CancellationToken);
            var started = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"{{name}}","id":"zip"}""", status: problem is null ? HttpStatusCode.OK : HttpStatusCode.BadGateway);
            Assert.Contains(problem ?? "", problem is null ? "" : started.GetProperty("detail").GetString(), StringComparison.Ordinal);
            Assert.Equal(problem is null, RomFolders.Problem(file) is null); // of mgba-bridge run
            if (problem is null)
            {
                await gateway.SendAsync(HttpMethod.Delete, "/v2/emulators/zip");
            }
        }
    }

    [Fact]
    public async Task WhatIsNoRom_IsRefusedWithTheReason_AndLeavesNothing()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Owned:MaxRomBytes", "1048576"));
        (string Name, byte[] Content, HttpStatusCode Status, string Detail)[] cases =
        [
            ("empty.gba", [], HttpStatusCode.UnprocessableEntity, "empty.gba is not a GBA, GB or GBC ROM"),
            ("text.gba", "no ROM at all"u8.ToArray(), HttpStatusCode.UnprocessableEntity, "is not a GBA, GB or GBC ROM"),
            ("large.gba", [.. Rom, .. new byte[RomUploads.MaxBytes]], HttpStatusCode.RequestEntityTooLarge, "33554432 bytes"),
            ("full.gba", [.. Rom, .. new byte[1_048_576]], HttpStatusCode.InsufficientStorage, "Bridge:Owned:MaxRomBytes"),
            ("game.txt", Rom, HttpStatusCode.BadRequest, "ends in .gba, .gb, .gbc, .sgb, .agb, .mb or .zip; this one is \"game.txt\""),
            ("game.zip", Rom, HttpStatusCode.UnprocessableEntity, "game.zip is not a zip archive"),
            ($"{new string('é', 100)}.gba", Rom, HttpStatusCode.BadRequest, "up to 200 bytes"),
            ("../game.gba", Rom, HttpStatusCode.BadRequest, "none of /"),
            (".game.gba", Rom, HttpStatusCode.BadRequest, "does not begin with a dot"),
            ("none.zip", Zip(("readme.txt", [1])), HttpStatusCode.UnprocessableEntity, "has no GBA, GB or GBC ROM"),
            ("two.zip", Zip(("a.gba", Rom), ("b.gb", GameBoyRom)), HttpStatusCode.UnprocessableEntity, "a.gba and b.gb"),
            ("bomb.zip", Zip(("bomb.gba", [.. Rom, .. new byte[RomUploads.MaxBytes]])), HttpStatusCode.RequestEntityTooLarge, "33554432 bytes"),
            ("cut.zip", Zip(("a.gba", Rom))[..^30], HttpStatusCode.UnprocessableEntity, "damaged"),
        ];
        foreach (var (name, content, status, detail) in cases)
        {
            var problem = await UploadAsync(gateway, name, content, status);
            Assert.Contains(detail, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }

        Assert.Empty(Directory.GetFiles(Path.Combine(gateway.Data, "roms")));
    }

    [Fact]
    public async Task Rom_WhoseBytesRun_NamesTheEmulator()
    {
        await using var gateway = await OwnedGateway.StartAsync(1); // with the same bytes, as test.gba

        Assert.Equal("1", (await UploadAsync(gateway, "other name.gba", Rom)).GetProperty("emulator").GetString());
        Assert.Equal("1", (await UploadAsync(gateway, "archive.zip", Zip(("game.gba", Rom)))).GetProperty("emulator").GetString());
        Assert.False((await UploadAsync(gateway, "longer.gba", [.. Rom, 0])).TryGetProperty("emulator", out _));

        await gateway.SendAsync(HttpMethod.Delete, "/v2/emulators/1");
        Assert.False((await UploadAsync(gateway, "other name.gba", Rom)).TryGetProperty("emulator", out _));
    }

    [Fact]
    public async Task OtherBytesUnderTheSameName_AreRefused()
    {
        await using var gateway = await OwnedGateway.StartAsync(0);
        await UploadAsync(gateway, "game.gba", Rom);

        var problem = await UploadAsync(gateway, "game.gba", [.. Rom, 0], HttpStatusCode.Conflict);

        Assert.EndsWith("rom-exists", problem.GetProperty("type").GetString(), StringComparison.Ordinal);
        Assert.Equal(Rom, await File.ReadAllBytesAsync(Path.Combine(gateway.Data, "roms", "game.gba"), TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Upload_LargerThanOtherBodies_IsTaken()
    {
        await using var gateway = await OwnedGateway.StartAsync(0);

        var uploaded = await UploadAsync(gateway, "large.gba", [.. Rom, .. new byte[RomUploads.MaxBytes - Rom.Length]]);

        Assert.Equal(RomUploads.MaxBytes, uploaded.GetProperty("bytes").GetInt64());
    }

    [Fact]
    public async Task Folder_ThatCannotBeUsed_IsAProblemOfTheStore()
    {
        var file = Path.GetTempFileName();
        await using var gateway = await OwnedGateway.StartAsync(0, ("Owned:DataFolder", file));

        var problem = await UploadAsync(gateway, "game.gba", Rom, HttpStatusCode.InsufficientStorage);

        Assert.Contains("Bridge:Owned:DataFolder", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        File.Delete(file);
    }

    private static byte[] Zip(params (string Name, byte[] Content)[] files)
    {
        using var target = new MemoryStream();
        using (var archive = new ZipArchive(target, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (var (name, content) in files)
            {
                using var entry = archive.CreateEntry(name).Open();
                entry.Write(content);
            }
        }

        return target.ToArray();
    }

    private static async Task<JsonElement> UploadAsync(OwnedGateway gateway, string name, byte[] content, HttpStatusCode status = HttpStatusCode.OK)
    {
        using var response = await gateway.Client.PostAsync(new Uri($"/v2/roms?name={Uri.EscapeDataString(name)}", UriKind.Relative), Play.Bytes(content), TestContext.Current.CancellationToken);
        var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        Assert.True(status == response.StatusCode, $"{name}: {response.StatusCode} {text}");
        return JsonDocument.Parse(text).RootElement;
    }
}
