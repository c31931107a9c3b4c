using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Search;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Search;

public sealed class SearchesTests
{
    private static readonly SearchPlan Bytes = new(new SearchValueType(NumberType.U8, Endian.Little, 1), ["wram"], [], 1);

    [Fact]
    public async Task Searches_NobodyAsksFor_AreForgottenAndTheirMemoryIsFree()
    {
        await using var play = await Play.StartAsync();
        var emulator = play.Gateway.Emulators.First;
        var time = new ManualTime();
        using var searches = new Searches(new SearchOptions(), time);
        var asked = (await searches.StartAsync(emulator, Bytes, TestContext.Current.CancellationToken)).Search!;
        var left = (await searches.StartAsync(emulator, Bytes, TestContext.Current.CancellationToken)).Search!;
        Assert.Equal(asked.Memory + left.Memory, searches.Memory);
        time.Advance(Searches.IdleTimeout - TimeSpan.FromSeconds(10));
        Assert.Same(asked, searches.Find(emulator, asked.Id));
        time.Advance(Searches.IdleTimeout - TimeSpan.FromSeconds(10));
        Assert.Equal([asked], searches.Of(emulator));
        Assert.Equal(asked.Memory, searches.Memory);
        Assert.Null(searches.Find(emulator, left.Id));
        searches.Remove(asked);
        searches.Remove(asked);
        Assert.Equal(0, searches.Memory);
    }

    [Fact]
    public async Task Search_OfAnEmulatorThatDoesNotAnswer_KeepsNoMemory()
    {
        await using var client = Clients.To(Clients.FreePort());
        using var searches = new Searches(new SearchOptions(), TimeProvider.System);
        var outcome = await searches.StartAsync(client, Bytes, TestContext.Current.CancellationToken);
        Assert.Equal(CommandFailureKind.ConnectFailed, outcome.Failure?.Kind);
        Assert.Equal(0, searches.Memory);
    }
}
