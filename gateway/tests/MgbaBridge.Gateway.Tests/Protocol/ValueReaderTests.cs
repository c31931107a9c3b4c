using System.Text;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Tests.Protocol;

public sealed class ValueReaderTests
{
    [Fact]
    public void Read_OfEveryKind_TellsThemApart()
    {
        var reader = new ValueReader("5 -7 0xff true false nil \"a b\" word name=12 text=\"x\\\"y\" none=nil"u8);
        var seen = new List<string>();
        while (reader.Read())
        {
            seen.Add($"{Encoding.UTF8.GetString(reader.Name)}:{reader.Kind}:{reader.GetText()}:{reader.Integer}:{reader.Boolean}");
        }

        Assert.Equal(
            [
                ":Integer:5:5:False", ":Integer:-7:-7:False", ":Integer:0xff:255:False", ":Boolean:true:0:True", ":Boolean:false:0:False",
                ":Nothing:nil:0:False", ":Text:a b:0:False", ":Word:word:0:False", "name:Integer:12:12:False", "text:Text:x\"y:0:False", "none:Nothing:nil:0:False",
            ],
            seen);
    }

    [Theory]
    [InlineData("")]
    [InlineData("   ")]
    [InlineData("\"never ends")]
    [InlineData("\"ends in a slash\\")]
    [InlineData("name=")]
    public void Read_WhereNoValueIs_IsFalse(string values)
    {
        var reader = new ValueReader(Encoding.UTF8.GetBytes(values));
        Assert.False(reader.Read());
    }

    [Fact]
    public void ReadTo_AName_SkipsOthersAndTextThatLooksLikeIt()
    {
        var reader = new ValueReader("text=\" last=1\" first=2 last=3"u8);
        Assert.True(reader.ReadTo("last"u8));
        Assert.Equal(3, reader.Integer);
        Assert.False(reader.ReadTo("last"u8));
    }

    [Fact]
    public void TryReadInteger_OfAText_IsFalse()
    {
        var reader = new ValueReader("\"5\""u8);
        Assert.False(reader.TryReadInteger(out _));
    }
}
