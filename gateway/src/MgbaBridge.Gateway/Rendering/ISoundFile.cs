using System.Buffers;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>A file with the sound of a game, written as the game runs.</summary>
internal interface ISoundFile : IDisposable
{
    /// <summary>Its media type.</summary>
    string MediaType { get; }

    /// <summary>How many bytes a file with so many pairs of samples has, or null where that is not known before.</summary>
    long? SizeOf(long pairs);

    /// <summary>Writes its beginning.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="pairs">How many pairs of samples it will have, or null when that is not known.</param>
    void Begin(IBufferWriter<byte> output, long? pairs);

    /// <summary>Writes samples: 16 bits, left and right in turn.</summary>
    void Write(IBufferWriter<byte> output, ReadOnlySpan<byte> samples);

    /// <summary>Writes its end.</summary>
    void Complete(IBufferWriter<byte> output);
}
