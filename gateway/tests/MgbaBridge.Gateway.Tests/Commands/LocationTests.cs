using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Tests.Commands;

public sealed class LocationTests
{
    [Theory]
    [InlineData("0x02000000", null, 0x02000000, "0x02000000")]
    [InlineData("0XFF", null, 0xFF, "0x000000FF")]
    [InlineData("33554432", null, 33554432, "0x02000000")]
    [InlineData("wram:0x10", "wram", 16, "wram:0x10")]
    [InlineData("cart0:7", "cart0", 7, "cart0:0x7")]
    [InlineData("0x1FFFFFFFF", null, 0x1FFFFFFFF, "0x1FFFFFFFF")]
    public void TryParse_OfALocation_ReadsIt(string text, string? domain, long offset, string shown)
    {
        Assert.True(Location.TryParse(text, out var location));
        Assert.Equal(new Location(domain, offset), location);
        Assert.Equal(shown, location.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("0x")]
    [InlineData("-1")]
    [InlineData("0x-1")]
    [InlineData("0xFFFFFFFFFFFFFFFF")]
    [InlineData("99999999999999999999")]
    [InlineData("12 ")]
    [InlineData(":5")]
    [InlineData("wr am:5")]
    [InlineData("wram:")]
    [InlineData("wram:x")]
    [InlineData("a<|END|>:5")]
    public void TryParse_OfAnythingElse_IsFalse(string text) => Assert.False(Location.TryParse(text, out _));
}
