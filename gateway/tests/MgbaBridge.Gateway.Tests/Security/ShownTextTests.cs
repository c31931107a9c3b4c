using System.Net.Http.Headers;
using System.Text.Json;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Security;

/// <summary>What callers who do not own the machine see of it.</summary>
public sealed class ShownTextTests
{
    private const string Player = "player-token-0123456789";
    private const string Owner = "owner-token-0123456789";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("Access to the path '/tmp/a b/x.ss0' is denied.", "Access to the path 'x.ss0' is denied.")]
    [InlineData("/home/me/My Games/GBA (USA)/Bob's, old/game.gba does not exist.", "game.gba does not exist.")]
    [InlineData("No file below /tmp/my games or /usr/share/mgba, and /tmp/a/, /tmp/b/c.", "No file below my games or mgba, and a, c.")]
    [InlineData("(/v2/state,/tmp/my games/a.ss) GET /v2/status or /tmp/my games/b", "(/v2/state,a.ss) GET /v2/status or b")]
    [InlineData("/usr/games/mgba-qt does not exist.", "mgba-qt does not exist.")]
    [InlineData("No file below /tmp, /usr/share.", "No file below tmp, share.")]
    [InlineData(@"C:\Users\me\game.gba is a link.", "game.gba is a link.")]
    [InlineData(@"C:\Users\My Name\Games (GBA)\game.gba is a link.", "game.gba is a link.")]
    [InlineData("GET /v2/status lists them at http://127.0.0.1:5000/v2.", "GET /v2/status lists them at http://127.0.0.1:5000/v2.")]
    [InlineData("2/3 of them and/or none", "2/3 of them and/or none")]
    public void Text_WithPathsOfThisMachine_HasThemForOwnersOnly(string text, string shown)
    {
        Assert.Equal(shown, ShownText.For(new Caller(Role.Player), text));
        Assert.Equal(text, ShownText.For(new Caller(Role.Owner), text));
    }

    [Fact]
    public void Text_WithMarksOfDirection_IsEscapedForAll() => Assert.Equal(
        (@"game\u202Eabg.exe", @"\u0007", "हिन्दी\u200D"), (ShownText.For(new Caller(Role.Owner), "game\u202Eabg.exe"), EscapedText.Of("\a"), EscapedText.Of("हिन्दी\u200D")));

    /// <summary>All operations that a player may read, not some: a new one with a path of the machine fails here.</summary>
    [Fact]
    public async Task Operations_ThatReadForPlayers_HaveNoPathOfTheMachine()
    {
        await using var owned = await OwnedGateway.StartAsync(1);
        owned.Host.Services.GetRequiredService<CredentialStore>().Change(Owner, [Credential.SettingOf(Role.Player, Player)]);
        var folder = owned.Folder;
        foreach (var operation in OperationCatalog.All.Where(operation => operation.Method == "GET" && operation.Access < Access.Write && !operation.IsHttpOnly))
        {
            var text = await ReadAsync(owned, Player, operation.Path.Replace("{id}", "1", StringComparison.Ordinal));
            Assert.False(text.Contains(folder, StringComparison.Ordinal), $"{operation.Name}: {text}");
        }

        var process = JsonDocument.Parse(await ReadAsync(owned, Player, "/v2/status")).RootElement.GetProperty("process");
        Assert.Equal(Path.GetFileName(process.GetProperty("rom").GetString()), process.GetProperty("rom").GetString());
        Assert.False(process.TryGetProperty("saves", out _) || process.TryGetProperty("log", out _));
        Assert.Contains(folder, await ReadAsync(owned, Owner, "/v2/status"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Failures_OfFoldersOfTheMachine_HaveNoPathForPlayers()
    {
        await using var play = await Play.StartAsync(("Http:Tokens:0", Credential.SettingOf(Role.Player, Player)));
        play.Client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Player);
        foreach (var folder in new[] { "notes", "states" })
        {
            await File.WriteAllTextAsync(Path.Combine(play.Gateway.Services.GetRequiredService<DataFolder>().Path, folder), "no folder", Cancelled);
        }

        var agent = await McpCaller.ConnectAsync(play.Client);
        var notes = (await agent.RequestAsync("resources/read", """{"uri":"mgba://emulators/1/notes"}""")).GetProperty("error").GetProperty("message").GetString();
        Assert.Contains("The notes cannot be used: ", notes, StringComparison.Ordinal);
        var batch = await play.SendAsync(HttpMethod.Post, "/v2/batch", """{"items":[{"states.get":{"name":"here"}}]}""");
        var state = batch.GetProperty("results")[0].GetProperty("detail").GetString();
        Assert.Contains("Set Bridge:Owned:DataFolder", state, StringComparison.Ordinal);
        Assert.DoesNotContain(play.Folder, notes + state, StringComparison.Ordinal);
    }

    private static async Task<string> ReadAsync(OwnedGateway owned, string token, string path)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path) { Headers = { { "Authorization", $"Bearer {token}" } } };
        using var response = await owned.Client.SendAsync(request, Cancelled);
        return await response.Content.ReadAsStringAsync(Cancelled);
    }
}
