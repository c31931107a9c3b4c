using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Interfaces.MgbaHttp;

namespace MgbaBridge.Gateway.Tests.Interfaces.MgbaHttp;

public sealed class HexTextTests
{
    [Theory]
    [InlineData("[00]", "00")]
    [InlineData("[d3,00,Ea,fF]", "D300EAFF")]
    [InlineData(" [ 0 ,\n2 ]\r\n", "0002")]
    [InlineData("[1,,2,]", "0102")]
    public void Text_OfTheForm_IsBytes(string text, string hex)
    {
        var target = new byte[HexText.MaxBytes(text.Length)];
        Assert.True(HexText.TryRead(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(text)), target, out var length));
        Assert.Equal(hex, Convert.ToHexString(target, 0, length));
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("[,]")]
    [InlineData("00,01")]
    [InlineData("[00,01")]
    [InlineData("[100]")]
    [InlineData("[zz]")]
    [InlineData("[0x1]")]
    [InlineData("[00]x")]
    [InlineData("[[00]]")]
    public void Text_OfAnotherForm_IsRefused(string text) =>
        Assert.False(HexText.TryRead(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(text)), new byte[HexText.MaxBytes(text.Length)], out _));
}
