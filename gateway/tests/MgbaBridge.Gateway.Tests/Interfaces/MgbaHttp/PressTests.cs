using System.Globalization;
using MgbaBridge.Gateway.Interfaces.MgbaHttp;

namespace MgbaBridge.Gateway.Tests.Interfaces.MgbaHttp;

/// <summary>Presses as the game sees them: our test ROM counts edges at 0x02000020 and frames held at 0x02000048, a word a key.</summary>
public sealed class PressTests(MgbaHttpWorld world) : IClassFixture<MgbaHttpWorld>
{
    private const int Select = 2;
    private const int Start = 3;
    private const int Right = 4;
    private const int Left = 5;
    private const int R = 8;
    private const int L = 9;

    [Fact]
    public async Task Taps_FiveAtOnce_AreSeenEachAndSoon()
    {
        for (var tap = 0; tap < 5; tap++)
        {
            Assert.Equal(Said.Ok(), await world.CallAsync("POST /mgba-http/button/tap?button=Select"));
        }

        await world.ComesTrueAsync(Edges(Select), "5");
        await world.ComesTrueAsync("GET /core/getkey?key=2", "0");
        Assert.InRange(await world.NumberAsync(Held(Select)), (4 * 3) + 15, 74);
    }

    [Fact]
    public async Task Taps_ThatQueue_LastForFifteenFramesEach()
    {
        await using var queueing = await world.AnotherAsync(("Compatibility:Waiting", "queue"));
        for (var tap = 0; tap < 5; tap++)
        {
            Assert.Equal(Said.Ok(), await MgbaHttpWorld.CallAsync(queueing.Client, "POST /mgba-http/button/tap?button=Start"));
        }

        await world.ComesTrueAsync(Held(Start), "75");
        Assert.Equal(5, await world.NumberAsync(Edges(Start)));
    }

    [Fact]
    public async Task Taps_OfDifferentButtons_KeepTheirOrder()
    {
        ButtonEnum[] burst = [ButtonEnum.Down, ButtonEnum.Down, ButtonEnum.A, ButtonEnum.Up, ButtonEnum.B, ButtonEnum.A, ButtonEnum.Down, ButtonEnum.B];
        foreach (var button in burst)
        {
            Assert.Equal(Said.Ok(), await world.CallAsync($"POST /mgba-http/button/tap?button={button}"));
        }

        await world.ComesTrueAsync(Edges((int)ButtonEnum.B), "2");
        await world.ComesTrueAsync("GET /core/getkeys", "0");
        Assert.Equal((3, 2, 1), (await world.NumberAsync(Edges((int)ButtonEnum.Down)), await world.NumberAsync(Edges((int)ButtonEnum.A)), await world.NumberAsync(Edges((int)ButtonEnum.Up))));
    }

    [Fact]
    public async Task TapMany_OfTwoButtons_PressesThemTogether()
    {
        Assert.Equal(Said.Ok(), await world.CallAsync("POST /mgba-http/button/tapmany?buttons=L&buttons=R"));
        await world.ComesTrueAsync(Held(L), "15");
        await world.ComesTrueAsync(Held(R), "15");
        Assert.Equal((1, 1), (await world.NumberAsync(Edges(L)), await world.NumberAsync(Edges(R))));
        Assert.Equal(0x300, await world.NumberAsync("GET /core/read16?address=0x02000072"));
    }

    [Fact]
    public async Task Hold_ForSevenFrames_HoldsForSeven()
    {
        Assert.Equal(Said.Ok(), await world.CallAsync("POST /mgba-http/button/hold?button=right&duration=7"));
        await world.ComesTrueAsync(Held(Right), "7");
        await world.ComesTrueAsync("GET /core/getkey?key=4", "0");
        Assert.Equal((1, 7), (await world.NumberAsync(Edges(Right)), await world.NumberAsync(Held(Right))));
    }

    [Fact]
    public async Task HoldMany_ForAFrame_IsSeenOnce()
    {
        Assert.Equal(Said.Ok(), await world.CallAsync("POST /mgba-http/button/holdmany?buttons=Left&duration=1"));
        await world.ComesTrueAsync(Held(Left), "1");
        Assert.Equal(1, await world.NumberAsync(Edges(Left)));
    }

    private static string Edges(int key) => Word(0x02000020 + (key * 4));

    private static string Held(int key) => Word(0x02000048 + (key * 4));

    private static string Word(int address) => string.Create(CultureInfo.InvariantCulture, $"GET /core/read32?address={address}");
}
