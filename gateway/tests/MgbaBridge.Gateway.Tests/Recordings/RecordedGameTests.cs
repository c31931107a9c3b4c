using System.Buffers;
using System.Text;
using MgbaBridge.Engines.Recordings;

namespace MgbaBridge.Gateway.Tests.Recordings;

public sealed class RecordedGameTests
{
    private const string Header = """{"recording":1,"title":"MGBABRIDGE","crc32":0,"frame":10,"ranges":["wram:0x0/16"],"keys":"","state":"AAAA"}""";

    [Theory]
    [InlineData("", "The first line")]
    [InlineData("hello", "Line 1 is not a line of a recording: 'h' is an invalid start of a value.")]
    [InlineData("{}", "Line 1 is not a line of a recording: it lacks 'recording', 'title', 'crc32', 'frame', 'ranges', 'keys', 'state'.")]
    [InlineData("""{"recording":1,"title":"MGBABRIDGE","crc32":0,"frame":10,"ranges":null,"keys":"","state":"AAAA"}""", "Line 1 is not a line of a recording: ranges: it cannot be null.")]
    [InlineData("null", "Line 1 is not a line of a recording: it cannot be null.")]
    [InlineData(Header + "\n{\"frame\":11}\n{\"frame\":\"A\"}", "Line 3 is not a line of a recording: frame: a value of the wrong kind")]
    [InlineData(Header + "\n{\"frame\":9,\"keys\":\"A\"}", "none before its state")]
    [InlineData(Header + "\n{\"frame\":11,\"keys\":\"Z\"}", "Keys are")]
    [InlineData(Header + "\n{\"frame\":12,\"keys\":\"A\"}\n{\"frame\":11,\"keys\":\"\"}", "order of their frames")]
    [InlineData(Header + "\n{\"frame\":99999999,\"keys\":\"A\"}", "at most")]
    [InlineData(Header + "\n{\"frame\":12,\"jump\":true}", "Line 2 is not a line of a recording: jump: there is no such field; the fields are frame, keys, hash, end.")]
    public void Parse_OfAnInvalidFile_SaysWhatIsWrong(string file, string expected)
    {
        Assert.Null(Parse(file, out var wrong));
        Assert.Contains(expected, wrong, StringComparison.Ordinal);
    }

    [Fact]
    public void Parse_OfAValidFile_HasItsLines()
    {
        var recorded = Parse(Header + "\n{\"frame\":12,\"keys\":\"A\"}\n\n{\"frame\":14,\"keys\":\"\"}\n", out _)!;
        Assert.Equal((10L, 12L, "A", 14L), (recorded.Header.Frame, recorded.Lines[0].Frame, recorded.Lines[0].Keys, recorded.Lines[1].Frame));
    }

    private static RecordedGame? Parse(string file, out string wrong) => RecordedGame.Parse(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(file)), out wrong);
}
