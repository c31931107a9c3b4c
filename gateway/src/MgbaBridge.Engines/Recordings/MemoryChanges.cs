using System.IO.Compression;

namespace MgbaBridge.Engines.Recordings;

/// <summary>Packs and unpacks the memory of successive frames: each as the exclusive or with the one before, compressed by Brotli. The first is with zeros.</summary>
/// <param name="length">Its bytes.</param>
internal sealed class MemoryChanges(int length)
{
    private const int Quality = 4;
    private const int Window = 22;

    private readonly byte[] _memory = new byte[length];

    /// <summary>The memory of the last frame.</summary>
    public ReadOnlySpan<byte> Memory => _memory;

    /// <summary>Packs the memory of the next frame.</summary>
    public byte[] Pack(ReadOnlySpan<byte> memory)
    {
        var changes = memory.ToArray();
        Change(changes, _memory);
        memory.CopyTo(_memory);
        var packed = new byte[BrotliEncoder.GetMaxCompressedLength(length)];
        return BrotliEncoder.TryCompress(changes, packed, out var written, Quality, Window) ? packed[..written] : throw new InvalidOperationException("The buffer is too small.");
    }

    /// <summary>Unpacks the memory of the next frame into <see cref="Memory"/>. False if it is no packed memory of this length.</summary>
    public bool TryUnpack(ReadOnlySpan<byte> packed)
    {
        var changes = new byte[length];
        if (!BrotliDecoder.TryDecompress(packed, changes, out var written) || written != length)
        {
            return false;
        }

        Change(_memory, changes);
        return true;
    }

    private static void Change(Span<byte> bytes, ReadOnlySpan<byte> changes)
    {
        for (var at = 0; at < bytes.Length; at++)
        {
            bytes[at] ^= changes[at];
        }
    }
}
