using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Waits;

public sealed class WaitOperationsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    [Fact]
    public async Task Wait_UntilItHoldsOrFramesAreOver_SaysWhat()
    {
        await using var play = await Play.StartAsync();
        await play.Emulator.ControlAsync("pause"); // so that the request is there in time
        var target = await play.ReadAsync(Play.FrameCounter) + 30;
        var asked = play.SendAsync(HttpMethod.Post, "/v2/wait", $$"""{"all":[{"location":"0x02000008","type":"u32","is":"ge","value":{{target}}},{"location":"0x02000000","type":"u8","value":77}],"frames":3600}""");
        await Eventually.Is(() => asked.IsCompleted || play.Gateway.Emulators.First.InFlight > 0);
        await play.Emulator.ControlAsync("resume");
        var met = await asked;
        Assert.Equal((true, $"[{target},77]"), (met.GetProperty("met").GetBoolean(), met.GetProperty("values").GetRawText()));
        var over = await play.SendAsync(HttpMethod.Post, "/v2/wait", """{"any":[{"location":"0x02000000","type":"s8","is":"lt","value":0},{"location":"0x02000004","type":"u32","is":"changed"}],"frames":5}""");
        Assert.Equal((false, "[77,1]"), (over.GetProperty("met").GetBoolean(), over.GetProperty("values").GetRawText()));
        var text = await play.SendAsync(HttpMethod.Post, "/v2/wait", """{"condition":"u8 0x02000000 eq 1 or u16 wram:0x80 changed"}""");
        Assert.True(text.GetProperty("met").GetBoolean());
    }

    [Theory]
    [InlineData("u8 0x02000000 eq 77 and 0x02000000 s8 == 0x4d")]
    [InlineData("0x02000000 u8 == 1 or u8 wram:0x0 & 5 and 0x02000004 u32 any 3")]
    [InlineData("u32be 0x02000000 >= 0x4D000000")]
    [InlineData("magic = 77 and magic < 78")]
    [InlineData("magic changed or pointer.value == 0")]
    public async Task Wait_OfAConditionInEachOrderAndWithNames_IsMet(string condition)
    {
        await using var play = await Play.StartAsync();
        using var loaded = await play.RawAsync(HttpMethod.Put, "/v2/properties", new StringContent("""
            {"properties":{"magic":{"at":"0x02000000","type":"u8"},"pointer.value":{"at":"0x02002000","chain":[0],"type":"u8"}}}
            """));
        Assert.Equal(HttpStatusCode.OK, loaded.StatusCode);
        var waited = await play.SendAsync(HttpMethod.Post, "/v2/wait", $$"""{"condition":"{{condition}}","frames":5}""");
        Assert.True(waited.GetProperty("met").GetBoolean());
    }

    [Theory]
    [InlineData("{}", "Write one of")]
    [InlineData("""{"frames":0}""", "from 1 to 36000")]
    [InlineData("""{"all":[]}""", "there are 0 items; expected a list of 1 to 32")]
    [InlineData("""{"all":[{"location":"0x0","type":"u8"}]}""", "all[0]: each test but changed has a value")]
    [InlineData("""{"condition":"u8 0x0 eq 1","any":[{"location":"0x0","type":"u8","value":1}]}""", "Write one of")]
    [InlineData("""{"condition":"u8 0x0 eq 1<|END|>#2 game.reset<|END|>"}""", "is not a test")]
    [InlineData("""{"condition":"player.hp < 10"}""", "This game has no property and no symbol player.hp.")]
    [InlineData("""{"condition":"0x02000000 >= 1"}""", "is not a place with a type")]
    [InlineData("""{"condition":"text 0x02000000 eq 1"}""", "length is 1 to 65536 bytes")]
    [InlineData("""{"condition":"u16be 0x02000000 eq 1","frames":36001}""", "from 1 to 36000")]
    [InlineData("""{"condition":"u8 0x0 is 1"}""", "is not a test")]
    [InlineData("""{"condition":"u8 0x100000000 eq 1"}""", "0x100000000")]
    public async Task Wait_ThatCannotBe_IsRefused(string body, string expected)
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/wait", body, status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_WhoseCallerLeaves_IsTakenBackInTheScript()
    {
        await using var play = await Play.StartAsync();
        using var leaving = new CancellationTokenSource();
        var waiting = play.Client.PostAsync("/v2/wait", new StringContent("""{"condition":"u8 0x02000000 eq 1"}"""), leaving.Token);
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight > 0);
        await leaving.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        // the script answers what was taken back, and nothing stays under way
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
    }

    [Fact]
    public async Task Waits_ByTheHundred_LeaveReadsAlone()
    {
        await using var play = await Play.StartAsync();
        using var leaving = new CancellationTokenSource();
        var waits = Enumerable.Range(0, 200).Select(_ => play.Client.PostAsync("/v2/wait", new StringContent("""{"condition":"u8 0x02000000 eq 1"}"""), leaving.Token)).ToArray();
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight + play.Gateway.Emulators.First.Waiting >= 200);
        Assert.Equal(77, await play.ReadAsync("0x02000000", "u8"));
        await leaving.CancelAsync();
        foreach (var wait in waits)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait);
        }

        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
    }
}
