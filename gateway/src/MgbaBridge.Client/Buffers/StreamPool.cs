using Microsoft.IO;

namespace MgbaBridge.Client.Buffers;

/// <summary>
/// Memory streams over pooled blocks, for bytes that grow while one request runs. The process has one pool. Dispose every stream; what outlives
/// the request is copied into an array of its own.
/// </summary>
internal static class StreamPool
{
    /// <summary>Bytes of a block. A stream grows block by block; a block is small enough to stay off the large-object heap.</summary>
    public const int BlockSize = 65_536;

    /// <summary>Contiguous buffers have a multiple of this many bytes. Only a writer that needs more than a block in one piece gets one.</summary>
    public const int LargeBufferSize = 1_048_576;

    /// <summary>The longest contiguous buffer that returns to the pool.</summary>
    public const int MaxLargeBuffer = 8_388_608;

    /// <summary>Free bytes that the pool keeps: as many in blocks and as many in large buffers. The garbage collector takes the rest.</summary>
    public const long MaxFreeBytes = 16_777_216;

    /// <summary>The pool, for its gauges and events.</summary>
    public static RecyclableMemoryStreamManager Manager { get; } = new(new RecyclableMemoryStreamManager.Options
    {
        BlockSize = BlockSize,
        LargeBufferMultiple = LargeBufferSize,
        MaximumBufferSize = MaxLargeBuffer,
        MaximumSmallPoolFreeBytes = MaxFreeBytes,
        MaximumLargePoolFreeBytes = MaxFreeBytes,
        AggressiveBufferReturn = true,
    });

    /// <summary>An empty stream. Dispose it.</summary>
    /// <param name="purpose">What the stream is for; it appears in the pool's trace events.</param>
    public static RecyclableMemoryStream Rent(string purpose) => Manager.GetStream(purpose);
}
