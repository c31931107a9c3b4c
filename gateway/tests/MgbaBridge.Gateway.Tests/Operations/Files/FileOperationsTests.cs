using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Files;

public sealed class FileOperationsTests
{
    [Fact]
    public async Task Files_ThatAreThereOrNot_AreLoadedOrNamed()
    {
        await using var play = await Play.StartAsync();
        var epoch = (await play.GetAsync("/v2/game")).GetProperty("epoch").GetString();
        await play.SendAsync(HttpMethod.Post, "/v2/save/load", """{"file":"new.sav","temporary":true}""");
        await play.SendAsync(HttpMethod.Post, "/v2/save/autoload");
        var missing = await play.SendAsync(HttpMethod.Post, "/v2/rom/load", """{"file":"nope.gba"}""", status: HttpStatusCode.NotFound);
        Assert.Contains("nope.gba", missing.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Post, "/v2/rom/load", """{"file":"/etc/passwd"}""", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Post, "/v2/rom/load", """{"file":"CON.gba"}""", status: HttpStatusCode.Forbidden);
        File.CreateSymbolicLink(Path.Combine(play.Folder, "link.gba"), "/etc/passwd");
        await play.SendAsync(HttpMethod.Post, "/v2/rom/load", """{"file":"link.gba"}""", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Post, "/v2/save/load", """{"file":"link.gba","temporary":true}""", status: HttpStatusCode.Forbidden);
        Assert.Equal(epoch, (await play.GetAsync("/v2/game")).GetProperty("epoch").GetString());
    }
}
