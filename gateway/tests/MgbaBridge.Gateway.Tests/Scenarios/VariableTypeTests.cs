using MgbaBridge.Engines.Scenarios;

namespace MgbaBridge.Gateway.Tests.Scenarios;

public sealed class VariableTypeTests
{
    [Theory]
    [InlineData("|u1", "81", 129)]
    [InlineData("|i1", "81", -127)]
    [InlineData("|d1", "81", 81)]
    [InlineData("|n1", "81", 1)]
    [InlineData("<u2", "0201", 0x0102)]
    [InlineData(">u2", "0102", 0x0102)]
    [InlineData("=u2", "0201", 0x0102)]
    [InlineData("|u2", "0201", 0x0102)]
    [InlineData("<u3", "030201", 0x010203)]
    [InlineData(">u3", "010203", 0x010203)]
    [InlineData("<i3", "FEFFFF", -2)]
    [InlineData(">i2", "8000", -32768)]
    [InlineData("<i4", "FFFFFF7F", int.MaxValue)]
    [InlineData("<u4", "04030201", 0x01020304)]
    [InlineData(">u4", "FFFFFFFF", uint.MaxValue)]
    [InlineData("><u4", "02010403", 0x01020304)]
    [InlineData(">=u4", "02010403", 0x01020304)]
    [InlineData("<>u4", "03040102", 0x01020304)]
    [InlineData("<=u4", "04030201", 0x01020304)]
    [InlineData("><u8", "0403020108070605", 0x0102030405060708)]
    [InlineData("<>u8", "0506070801020304", 0x0102030405060708)]
    [InlineData("><d4", "34127856", 12345678)]
    [InlineData(">d2", "1234", 1234)]
    [InlineData("<d2", "3412", 1234)]
    [InlineData(">d4", "00123456", 123456)]
    [InlineData("<d3", "563412", 123456)]
    [InlineData(">d8", "1234567890123456", 1234567890123456)]
    [InlineData(">n6", "010203040506", 123456)]
    [InlineData("<n6", "060504030201", 123456)]
    [InlineData(">n6", "F1E2D3C4B5A6", 123456)]
    [InlineData(">n8", "0900000000000001", 90000001)]
    [InlineData("<n5", "0500000001", 10005)]
    [InlineData("=n2", "0201", 12)]
    [InlineData(">d2", "A5BF", 515)] // A and B count 0 and 1 above ten, F counts 5
    [InlineData("|n1", "FF", 5)]
    [InlineData("<u8", "FFFFFFFFFFFFFFFF", -1)]
    [InlineData("<i8", "0000000000000080", long.MinValue)]
    public void Read_OfAType_IsTheNumberThatItsDigitsMake(string text, string memory, long expected)
    {
        Assert.True(VariableType.TryParse(text, out var type));
        Assert.Equal(memory.Length / 2, type.Length);
        Assert.Equal(expected, type.Read(Convert.FromHexString(memory)));
        Assert.Equal(text, type.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("u2")]
    [InlineData("?u4")]
    [InlineData(">q2")]
    [InlineData("=i0")]
    [InlineData("<u9")]
    [InlineData("><u3")]
    [InlineData("<=u2")]
    [InlineData("<u22")]
    [InlineData("<U2")]
    [InlineData("< u2")]
    [InlineData("<>")]
    public void Parse_OfNoType_Fails(string text) => Assert.False(VariableType.TryParse(text, out _));
}
