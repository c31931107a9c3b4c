using System.Buffers;
using System.Buffers.Binary;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>Sound as WAV: the samples as they are.</summary>
internal sealed class WavFile : ISoundFile
{
    private const int HeaderBytes = 44;

    public string MediaType => "audio/wav";

    public long? SizeOf(long pairs) => HeaderBytes + (pairs * GameSound.BytesPerPair);

    public void Begin(IBufferWriter<byte> output, long? pairs)
    {
        var bytes = (uint?)(pairs * GameSound.BytesPerPair);
        output.Write("RIFF"u8);
        WriteNumber(output, bytes + HeaderBytes - 8 ?? uint.MaxValue);
        output.Write("WAVEfmt "u8);
        WriteNumber(output, 16); // the bytes of the format
        WriteNumber(output, 0x0002_0001); // PCM, two channels
        WriteNumber(output, GameSound.SampleRate);
        WriteNumber(output, GameSound.SampleRate * GameSound.BytesPerPair);
        WriteNumber(output, 0x0010_0000 | GameSound.BytesPerPair); // 16 bits
        output.Write("data"u8);
        WriteNumber(output, bytes ?? uint.MaxValue);
    }

    public void Write(IBufferWriter<byte> output, ReadOnlySpan<byte> samples) => output.Write(samples);

    public void Complete(IBufferWriter<byte> output)
    {
    }

    public void Dispose()
    {
    }

    private static void WriteNumber(IBufferWriter<byte> output, uint number)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(output.GetSpan(sizeof(uint)), number);
        output.Advance(sizeof(uint));
    }
}
