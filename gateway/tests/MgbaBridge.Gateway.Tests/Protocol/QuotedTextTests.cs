using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Tests.Protocol;

public sealed class QuotedTextTests
{
    [Fact]
    public void Escape_OfEveryByte_LeavesNothingSpecialAndComesBack()
    {
        var all = Enumerable.Range(0, 256).Select(value => (byte)value).ToArray();
        var quoted = new byte[all.Length * QuotedText.MaxGrowth];
        var length = QuotedText.Escape(all, quoted);
        Assert.DoesNotContain(quoted[..length], value => value is < 0x20 or 0x7F or (byte)'|');

        var back = new byte[length];
        Assert.True(QuotedText.TryUnescape(quoted.AsSpan(0, length), back, out var written));
        Assert.Equal(all, back[..written]);
    }

    [Fact]
    public void Escape_OfTheTerminator_IsThreeLettersOfHex()
    {
        var quoted = new byte[64];
        var length = QuotedText.Escape("<|END|>\n"u8, quoted);
        Assert.Equal("<\\x7cEND\\x7c>\\n"u8.ToArray(), quoted[..length]);
    }

    [Theory]
    [InlineData("\\")]
    [InlineData("\\q")]
    [InlineData("\\x")]
    [InlineData("\\x4")]
    [InlineData("\\xg0")]
    [InlineData("\\u0041")]
    public void Unescape_OfAnotherEscape_IsFalse(string quoted) =>
        Assert.False(QuotedText.TryUnescape(System.Text.Encoding.UTF8.GetBytes(quoted), new byte[16], out _));
}
