using System.Buffers;

namespace MgbaBridge.Gateway.Tests.Protocol;

/// <summary>Bytes in pieces, as a network brings them.</summary>
internal static class Cut
{
    public static ReadOnlySequence<byte> IntoSegments(byte[] bytes, int size) => IntoSegments(bytes, [.. Enumerable.Repeat(size, (bytes.Length / size) + 1)]);

    public static ReadOnlySequence<byte> IntoSegments(byte[] bytes, int[] sizes)
    {
        var first = new Segment(default, null);
        var last = first;
        var at = 0;
        foreach (var size in sizes.Append(bytes.Length))
        {
            var length = Math.Min(size, bytes.Length - at);
            last = new Segment(bytes.AsMemory(at, length), last);
            at += length;
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? before)
        {
            Memory = memory;
            if (before is not null)
            {
                RunningIndex = before.RunningIndex + before.Memory.Length;
                before.Next = this;
            }
        }
    }
}
