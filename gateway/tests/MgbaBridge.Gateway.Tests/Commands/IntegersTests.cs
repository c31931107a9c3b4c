using System.Buffers;
using System.Text;
using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Tests.Commands;

public sealed class IntegersTests
{
    [Theory]
    [InlineData("30", 30L)]
    [InlineData("-30", -30L)]
    [InlineData("30.0", 30L)]
    [InlineData("3e1", 30L)]
    [InlineData("3.0E+1", 30L)]
    [InlineData("300e-1", 30L)]
    [InlineData("0.00", 0L)]
    [InlineData("-0.0", 0L)]
    [InlineData("0e999999999", 0L)]
    [InlineData("9223372036854775807.0", long.MaxValue)]
    [InlineData("-9223372036854775808.0", long.MinValue)]
    [InlineData("922337203685477580700e-2", long.MaxValue)]
    [InlineData("30.5", null)]
    [InlineData("3e-1", null)]
    [InlineData("30.00000000000000000000000000000000000001", null)]
    [InlineData("9223372036854775808", null)]
    [InlineData("9223372036854775808.0", null)]
    [InlineData("1e19", null)]
    [InlineData("1e999999999", null)]
    [InlineData("1e99999999999999999999", null)]
    [InlineData("1e-999999999", null)]
    public void Integer_IsReadFromEachForm(string text, long? expected)
    {
        Assert.Equal(expected, Integers.TryParse(text, out var parsed) ? parsed : null);
        var bytes = Encoding.ASCII.GetBytes(text);
        var whole = new Utf8JsonReader(bytes);
        Assert.True(whole.Read());
        Assert.Equal(expected, Integers.TryRead(ref whole, out var read) ? read : null);
        using var document = JsonDocument.Parse(bytes);
        Assert.Equal(expected, Integers.TryRead(document.RootElement, out var element) ? element : null);
        var first = new Segment(bytes.AsMemory(0, 1), null);
        var last = new Segment(bytes.AsMemory(1), first);
        var cut = new Utf8JsonReader(new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length));
        Assert.True(cut.Read());
        Assert.Equal(expected, Integers.TryRead(ref cut, out var joined) ? joined : null);
    }

    [Theory]
    [InlineData("0x10", 16L)]
    [InlineData("", null)]
    [InlineData(".", null)]
    [InlineData("-", null)]
    [InlineData(".5", null)]
    [InlineData("1.0.0", null)]
    [InlineData("e5", null)]
    [InlineData("1e", null)]
    [InlineData("0x1.0", null)]
    [InlineData("4 0", null)]
    [InlineData("٣", null)]
    public void Integer_IsReadFromText(string text, long? expected) => Assert.Equal(expected, Integers.TryParse(text, out var parsed) ? parsed : null);

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? before)
        {
            Memory = memory;
            RunningIndex = before is null ? 0 : before.RunningIndex + before.Memory.Length;
            before?.Next = this;
        }
    }
}
