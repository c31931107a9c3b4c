using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using MgbaBridge.Client.Buffers;
using Microsoft.IO;

namespace MgbaBridge.Client.Commands;

/// <summary>
/// Save states as mGBA's window keeps them: a picture with the state and its extra data compressed in private chunks. The script takes frames to
/// unpack one, and cannot do so in a batch, so it gets the raw state.
/// </summary>
internal static class PngState
{
    private const int Core = 0;
    private const int FirstTag = 2;
    private const int LastTag = 4;
    private const int EntryLength = 16;

    private static ReadOnlySpan<byte> Signature => [0x89, (byte)'P', (byte)'N', (byte)'G', 0x0D, 0x0A, 0x1A, 0x0A];

    /// <summary>Returns the raw state; bytes that are not a PNG are returned unchanged. Of a damaged PNG only the signature is left, which the script then refuses.</summary>
    public static ReadOnlySequence<byte> Unpack(ReadOnlySequence<byte> state)
    {
        Span<byte> start = stackalloc byte[Signature.Length];
        if (state.Length < start.Length)
        {
            return state;
        }

        state.Slice(0, start.Length).CopyTo(start);
        return !start.SequenceEqual(Signature) ? state
            : Read(state) is { } raw ? new ReadOnlySequence<byte>(raw)
            : state.Slice(0, start.Length);
    }

    private static byte[]? Read(ReadOnlySequence<byte> state)
    {
        using var file = StreamPool.Rent("state as png");
        foreach (var part in state)
        {
            file.Write(part.Span);
        }

        return Read(new ArraySegment<byte>(file.GetBuffer(), 0, (int)file.Length));
    }

    private static byte[]? Read(ArraySegment<byte> png)
    {
        using var plain = StreamPool.Rent("state");
        var parts = new Part?[LastTag + 1];
        for (var at = Signature.Length; at + 12 <= png.Count;)
        {
            var length = BinaryPrimitives.ReadUInt32BigEndian(png.AsSpan(at));
            if (length > png.Count - at - 12)
            {
                return null;
            }

            var chunk = png.Slice(at + 8, (int)length);
            var kind = png.AsSpan(at + 4, 4);
            if (kind.SequenceEqual("gbAs"u8) && parts[Core] is null)
            {
                parts[Core] = Inflate(chunk, Limits.State, plain);
                if (parts[Core] is null)
                {
                    return null;
                }
            }
            else if (kind.SequenceEqual("gbAx"u8) && !TryExtra(chunk, parts, plain))
            {
                return null;
            }

            at += (int)length + 12;
        }

        return parts[Core] is { } core ? Join(plain, core, parts) : null;
    }

    /// <summary>Save data, cheats and clock; a load does not use the rest.</summary>
    private static bool TryExtra(ArraySegment<byte> chunk, Part?[] parts, RecyclableMemoryStream plain)
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

        parts[tag] = stated <= Limits.StateExtra ? Inflate(chunk[8..], (int)stated, plain) : null;
        return parts[tag]?.Length == stated;
    }

    /// <summary>Appends the content of a chunk. Null when the chunk is damaged or its content is longer than allowed.</summary>
    private static Part? Inflate(ArraySegment<byte> data, int most, RecyclableMemoryStream plain)
    {
        var at = (int)plain.Length;
        try
        {
            using var packed = new MemoryStream(data.Array!, data.Offset, data.Count, writable: false);
            using var inflate = new ZLibStream(packed, CompressionMode.Decompress);
            for (int count; (count = inflate.Read(plain.GetSpan())) > 0;)
            {
                plain.Advance(count);
                if (plain.Length - at > most)
                {
                    return null;
                }
            }

            return new Part(at, (int)plain.Length - at);
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }

    /// <summary>A raw state: the machine, the table of extra data (tag, length, offset), and the data.</summary>
    private static byte[] Join(RecyclableMemoryStream plain, Part core, Part?[] parts)
    {
        var count = parts.Count(part => part is not null) - 1;
        var dataAt = core.Length + ((count + 1) * EntryLength);
        var raw = new byte[dataAt + parts.Sum(part => part?.Length ?? 0) - core.Length];
        Copy(plain, core, raw);
        var entryAt = core.Length;
        for (var tag = FirstTag; tag <= LastTag; tag++)
        {
            if (parts[tag] is { } part)
            {
                BinaryPrimitives.WriteInt32LittleEndian(raw.AsSpan(entryAt), tag);
                BinaryPrimitives.WriteInt32LittleEndian(raw.AsSpan(entryAt + 4), part.Length);
                BinaryPrimitives.WriteInt64LittleEndian(raw.AsSpan(entryAt + 8), dataAt);
                Copy(plain, part, raw.AsSpan(dataAt));
                entryAt += EntryLength;
                dataAt += part.Length;
            }
        }

        return raw;
    }

    private static void Copy(RecyclableMemoryStream plain, Part part, Span<byte> target)
    {
        plain.Position = part.At;
        plain.ReadExactly(target[..part.Length]);
    }

    /// <summary>Where the content of a chunk is among the inflated bytes.</summary>
    private readonly record struct Part(int At, int Length);
}
