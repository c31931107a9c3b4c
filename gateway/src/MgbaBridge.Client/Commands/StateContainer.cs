using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using MgbaBridge.Client.Buffers;

namespace MgbaBridge.Client.Commands;

/// <summary>
/// mGBA's save states in the containers of others: compressed by gzip, or as RetroArch keeps those of its mGBA core. Whatever holds no state of mGBA stays
/// as it is: the script names its format.
/// </summary>
internal static class StateContainer
{
    private const int Deepest = 3; // RetroArch's container may be compressed, and the file once more
    private const int HeaderLength = 8;
    private const int Alignment = 8;

    private static ReadOnlySpan<byte> Gzip => [0x1F, 0x8B];

    private static ReadOnlySpan<byte> RetroArch => "RASTATE"u8;

    private static ReadOnlySpan<byte> CompressedRetroArch => "#RZIPv"u8;

    private static ReadOnlySpan<byte> Png => [0x89, (byte)'P', (byte)'N', (byte)'G'];

    /// <summary>Returns the raw state of mGBA that is in these bytes, or the bytes.</summary>
    public static ReadOnlySequence<byte> Unpack(ReadOnlySequence<byte> state)
    {
        Span<byte> start = stackalloc byte[(int)Math.Min(state.Length, HeaderLength)];
        state.Slice(0, start.Length).CopyTo(start);
        if (!IsContainer(start))
        {
            return PngState.Unpack(state);
        }

        var content = state.ToArray();
        for (var depth = 0; depth < Deepest && content is not null && !IsOfMgba(content); depth++)
        {
            content = Open(content);
        }

        return content is not null && IsOfMgba(content) ? PngState.Unpack(new ReadOnlySequence<byte>(content)) : state;
    }

    private static bool IsContainer(ReadOnlySpan<byte> start) => start.StartsWith(Gzip) || start.StartsWith(RetroArch) || start.StartsWith(CompressedRetroArch);

    // the version of a raw state is in its first byte, what it is a state of in the others
    private static bool IsOfMgba(ReadOnlySpan<byte> state) => state.StartsWith(Png) || (state.Length > 4 && state[1..4] is [0, 0, 1] or [0, 0x40, 0]);

    private static byte[]? Open(byte[] content)
    {
        using var opened = StreamPool.Rent("state in a container");
        try
        {
            var isWhole = content.AsSpan().StartsWith(RetroArch) ? TryTakeMemory(content, opened)
                : content.AsSpan().StartsWith(CompressedRetroArch) ? TryInflateChunks(content, opened)
                : content.AsSpan().StartsWith(Gzip) && TryInflate(new GZipStream(new MemoryStream(content, writable: false), CompressionMode.Decompress), opened);
            return isWhole ? opened.ToArray() : null;
        }
        catch (InvalidDataException)
        {
            return null; // damaged
        }
    }

    /// <summary>RetroArch's container: blocks of a name, a length and bytes; MEM is what the core gave.</summary>
    private static bool TryTakeMemory(ReadOnlySpan<byte> content, Stream opened)
    {
        for (var at = HeaderLength; at + 8 <= content.Length;)
        {
            var length = BinaryPrimitives.ReadUInt32LittleEndian(content[(at + 4)..]);
            if (length > content.Length - at - 8)
            {
                return false;
            }

            if (content[at..].StartsWith("MEM "u8))
            {
                opened.Write(content.Slice(at + 8, (int)length));
                return true;
            }

            at += 8 + (((int)length + Alignment - 1) / Alignment * Alignment);
        }

        return false;
    }

    /// <summary>RetroArch's compression: a header with the size of the chunks and of the whole, then chunks of a length and zlib's bytes.</summary>
    private static bool TryInflateChunks(byte[] content, Stream opened)
    {
        for (var at = HeaderLength + 12; at + 4 <= content.Length;)
        {
            var length = BinaryPrimitives.ReadUInt32LittleEndian(content.AsSpan(at));
            at += 4;
            if (length > content.Length - at || !TryInflate(new ZLibStream(new MemoryStream(content, at, (int)length, writable: false), CompressionMode.Decompress), opened))
            {
                return false;
            }

            at += (int)length;
        }

        return true;
    }

    private static bool TryInflate(Stream packed, Stream opened)
    {
        using (packed)
        {
            var buffer = new byte[65_536];
            for (int count; (count = packed.Read(buffer)) > 0;)
            {
                if (opened.Length + count > Limits.Tail)
                {
                    return false;
                }

                opened.Write(buffer, 0, count);
            }

            return true;
        }
    }
}
