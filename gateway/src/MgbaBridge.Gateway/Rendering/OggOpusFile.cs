using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>Sound as Ogg Opus (RFC 7845): a packet of 20 ms in each page, so that none waits for another.</summary>
/// <param name="bitsPerSecond">The bits of a second, about.</param>
internal sealed class OggOpusFile(int bitsPerSecond) : ISoundFile
{
    private const int PairsPerPacket = GameSound.SampleRate / 50;

    private readonly OpusEncoder _encoder = OpusEncoder.Create(GameSound.SampleRate, bitsPerSecond);
    private readonly OggPages _pages = new(BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(sizeof(uint))));
    private readonly byte[] _samples = new byte[PairsPerPacket * GameSound.BytesPerPair];
    private readonly byte[] _packet = new byte[OpusEncoder.MaxPacket];
    private int _waiting; // bytes of _samples
    private long _given; // pairs
    private long _encoded; // pairs

    public string MediaType => "audio/ogg; codecs=opus";

    public long? SizeOf(long pairs) => null;

    public void Begin(IBufferWriter<byte> output, long? pairs)
    {
        Span<byte> head = [.. "OpusHead"u8, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]; // version 1, two channels; no gain, mapping family 0
        BinaryPrimitives.WriteUInt16LittleEndian(head[10..], (ushort)_encoder.Lookahead);
        BinaryPrimitives.WriteUInt32LittleEndian(head[12..], GameSound.SampleRate);
        _pages.Write(output, head, 0);
        _pages.Write(output, [.. "OpusTags"u8, 11, 0, 0, 0, .. "mgba-bridge"u8, 0, 0, 0, 0], 0); // its writer, no comments
    }

    public void Write(IBufferWriter<byte> output, ReadOnlySpan<byte> samples)
    {
        _given += samples.Length / GameSound.BytesPerPair;
        while (samples.Length > 0)
        {
            var part = Math.Min(samples.Length, _samples.Length - _waiting);
            samples[..part].CopyTo(_samples.AsSpan(_waiting));
            samples = samples[part..];
            _waiting += part;
            if (_waiting == _samples.Length)
            {
                Encode(output, _encoded + PairsPerPacket, isLast: false);
            }
        }
    }

    public void Complete(IBufferWriter<byte> output)
    {
        // players leave out what lies behind the position of the last page
        for (var end = _encoder.Lookahead + _given; _encoded < end;)
        {
            _samples.AsSpan(_waiting).Clear();
            Encode(output, Math.Min(_encoded + PairsPerPacket, end), isLast: _encoded + PairsPerPacket >= end);
        }
    }

    public void Dispose() => _encoder.Dispose();

    private void Encode(IBufferWriter<byte> output, long position, bool isLast)
    {
        var length = _encoder.Encode(MemoryMarshal.Cast<byte, short>(_samples), _packet);
        _pages.Write(output, _packet.AsSpan(0, length), position, isLast);
        _encoded += PairsPerPacket;
        _waiting = 0;
    }
}
