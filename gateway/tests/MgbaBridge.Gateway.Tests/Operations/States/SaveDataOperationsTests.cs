using System.Net;
using System.Text.Json;
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

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(8_192)]
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
