using System.Buffers;
using System.Text;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Symbols;

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
    [InlineData(Header + "\n{\"frame\":11}\n{\"frame\":\"A\"}", "Line 3 is not a line of a recording: frame: it has to be an integer")]
    [InlineData(Header + "\n{\"frame\":9,\"keys\":\"A\"}", "none before its state")]
    [InlineData(Header + "\n{\"frame\":11,\"keys\":\"Z\"}", "Keys are")]
    [InlineData(Header + "\n{\"frame\":12,\"keys\":\"A\"}\n{\"frame\":11,\"keys\":\"\"}", "order of their frames")]
    [InlineData(Header + "\n{\"frame\":99999999,\"keys\":\"A\"}", "at most")]
    [InlineData(Header + "\n{\"frame\":12,\"jump\":true}", "Line 2 is not a line of a recording: jump: there is no such field; the fields are frame, keys, sensors, camera, hash, memory, picture, end.")]
    [InlineData(Header + "\n{\"frame\":12,\"camera\":\"AAAA\"}", "camera is a PNG of 128 x 112 pixels")]
    [InlineData(Header + "\n{\"frame\":12,\"sensors\":{\"light\":256,\"tiltX\":0,\"tiltY\":0,\"gyro\":0}}", "Sensors have light from 0 to 255")]
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

    [Fact]
    public void Inputs_AreKeysAndFrames()
    {
        var recorded = Parse(Header + "\n{\"frame\":12,\"keys\":\"A\"}\n{\"frame\":14,\"keys\":\"\"}\n{\"frame\":20,\"end\":\"stopped\"}\n", out _)!;
        Assert.Equal([". 2", "A 2", ". 6"], recorded.Inputs());
        Assert.Equal(10, recorded.Frames);
    }

    [Fact]
    public void MemoryOf_AHash_IsThatOfTheChangesUntilThen()
    {
        byte[] first = [1, 2, 3, 4, 0, 0, 0, 0, 9, 9, 9, 9, 0, 0, 0, 7], second = [1, 2, 3, 5, 0, 0, 0, 0, 9, 9, 9, 9, 0, 0, 0, 8];
        var changes = new MemoryChanges(first.Length);
        var lines = new[] { first, second, first }.Select((memory, at) => new RecordingLine
        {
            Frame = 11 + at,
            Hash = HashedRanges.Hash(memory),
            Memory = at < 2 ? changes.Pack(memory) : (ReadOnlyMemory<byte>?)null,
        }).ToArray();
        var recorded = Parse(Header, out _)! with { Lines = lines };
        Assert.Equal(first, recorded.MemoryOf(lines[0])!.Value.ToArray());
        Assert.Equal(second, recorded.MemoryOf(lines[1])!.Value.ToArray());
        Assert.Null(recorded.MemoryOf(lines[2]));
        Assert.Null((recorded with { Lines = [lines[0] with { Memory = new byte[] { 1, 2, 3 } }] }).MemoryOf(lines[0]));
        Assert.Null((recorded with { Lines = [lines[0], lines[1] with { Memory = lines[0].Memory }] }).MemoryOf(lines[1]));
    }

    [Fact]
    public void DifferentBytes_OfALongDifference_AreAllListed()
    {
        var (expected, found) = (new byte[64], new byte[64]);
        found.AsSpan(8, 20).Fill(1);
        Assert.Equal(
            [("wram:0x8", 32), ("wram:0x18", 8)],
            DifferentBytes.List(HashedRanges.Parse(["wram:0x0/64"])!, expected, found, new PlaceNames(new GameSymbols(null, null), [])).Select(place => (place.Location, place.Found.Length)));
    }

    private static RecordedGame? Parse(string file, out string wrong) => RecordedGame.Parse(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(file)), out wrong);
}
