using MgbaBridge.Client.Validation;

namespace MgbaBridge.Gateway.Tests.Validation;

public sealed class SettingAttributeTests
{
    [Fact]
    public void Times_OfARange_IncludeBothEnds()
    {
        var range = new TimeRangeAttribute("00:00:00.050", "1.00:00:00");
        Assert.Equal("50 ms..1 day", range.Limits);
        Assert.True(range.IsValid(TimeSpan.FromMilliseconds(50)) && range.IsValid(TimeSpan.FromDays(1)));
        Assert.False(range.IsValid(TimeSpan.FromMilliseconds(49)) || range.IsValid(TimeSpan.FromDays(1) + TimeSpan.FromTicks(1)) || range.IsValid(null));
    }

    [Theory]
    [InlineData(0, "0")]
    [InlineData(1_500, "1500 ms")]
    [InlineData(90_000, "90 s")]
    [InlineData(7_200_000, "2 h")]
    public void Time_AsText_HasItsLargestUnit(int milliseconds, string expected) => Assert.Equal(expected, TimeRangeAttribute.Text(TimeSpan.FromMilliseconds(milliseconds)));

    [Fact]
    public void Bytes_OfARange_IncludeBothEnds()
    {
        var range = new ByteRangeAttribute(1, 1_048_576);
        Assert.Equal("1..1 MiB", range.Limits);
        Assert.True(range.IsValid(1) && range.IsValid(1_048_576L));
        Assert.False(range.IsValid(0) || range.IsValid(1_048_577L));
    }
}
