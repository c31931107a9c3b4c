using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;

namespace MgbaBridge.Gateway.Commands;

/// <summary>
/// Save states as mGBA's window keeps them: a picture with the state and its extra data compressed in private chunks. The script takes frames to
/// unpack one, and cannot do so in a batch, so it gets the raw state.
/// </summary>
internal static class PngState
{
    private const int MaxState = 0x61000;
    private const int MaxExtra = 1 << 20;
    private const int FirstTag = 2;
    private const int LastTag = 4;
    private const int EntryLength = 16;

    private static ReadOnlySpan<byte> Signature => [0x89, (byte)'P', (byte)'N', (byte)'G', 0x0D, 0x0A, 0x1A, 0x0A];

    /// <summary>The raw state; what is no PNG stays as it is. Of a damaged PNG only the signature is left, which the script refuses.</summary>
    public static ReadOnlySequence<byte> Unpack(ReadOnlySequence<byte> state)
    {
        Span<byte> start = stackalloc byte[Signature.Length];
        if (state.Length < start.Length)
        {
            return state;
        }

        state.Slice(0, start.Length).CopyTo(start);
        return !start.SequenceEqual(Signature) ? state
            : Read(state.ToArray()) is { } raw ? new ReadOnlySequence<byte>(raw)
            : state.Slice(0, start.Length);
    }

    private static byte[]? Read(byte[] png)
    {
        byte[]? core = null;
        var extra = new byte[]?[LastTag + 1];
        for (var at = Signature.Length; at + 12 <= png.Length;)
        {
            var length = BinaryPrimitives.ReadUInt32BigEndian(png.AsSpan(at));
            if (length > png.Length - at - 12)
            {
                return null;
            }

            var chunk = new ArraySegment<byte>(png, at + 8, (int)length);
            var kind = png.AsSpan(at + 4, 4);
            if (kind.SequenceEqual("gbAs"u8) && core is null)
            {
                core = Inflate(chunk, MaxState);
                if (core is null)
                {
                    return null;
                }
            }
            else if (kind.SequenceEqual("gbAx"u8) && !TryExtra(chunk, extra))
            {
                return null;
            }

            at += (int)length + 12;
        }

        return core is null ? null : Join(core, extra);
    }

    /// <summary>Save data, cheats and clock; the rest is of no use to a load.</summary>
    private static bool TryExtra(ArraySegment<byte> chunk, byte[]?[] extra)
    {
        if (chunk.Count < 8)
        {
            return true;
        }

        var tag = BinaryPrimitives.ReadUInt32LittleEndian(chunk);
        var stated = BinaryPrimitives.ReadUInt32LittleEndian(chunk.AsSpan(4));
        if (tag is < FirstTag or > LastTag || stated == 0)
        {
            return true;
        }

        extra[tag] = stated <= MaxExtra ? Inflate(chunk[8..], (int)stated) : null;
        return extra[tag]?.Length == stated;
    }

    /// <summary>What a chunk holds; null when it is damaged or longer than it may be.</summary>
    private static byte[]? Inflate(ArraySegment<byte> data, int most)
    {
        var buffer = new byte[most + 1];
        try
        {
            using var packed = new MemoryStream(data.Array!, data.Offset, data.Count, writable: false);
            using var plain = new ZLibStream(packed, CompressionMode.Decompress);
            var length = plain.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false);
            return length <= most ? buffer[..length] : null;
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }

    /// <summary>A raw state: the machine, the table of extra data (tag, length, offset), and the data.</summary>
    private static byte[] Join(byte[] core, byte[]?[] extra)
    {
        var count = extra.Count(part => part is not null);
        var dataAt = core.Length + ((count + 1) * EntryLength);
        var raw = new byte[dataAt + extra.Sum(part => part?.Length ?? 0)];
        core.CopyTo(raw, 0);
        var entryAt = core.Length;
        for (var tag = FirstTag; tag <= LastTag; tag++)
        {
            if (extra[tag] is { } part)
            {
                BinaryPrimitives.WriteInt32LittleEndian(raw.AsSpan(entryAt), tag);
                BinaryPrimitives.WriteInt32LittleEndian(raw.AsSpan(entryAt + 4), part.Length);
                BinaryPrimitives.WriteInt64LittleEndian(raw.AsSpan(entryAt + 8), dataAt);
                part.CopyTo(raw, dataAt);
                entryAt += EntryLength;
                dataAt += part.Length;
            }
        }

        return raw;
    }
}
