using System.Buffers;
using System.Buffers.Binary;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Video;

namespace MgbaBridge.Engines.Supervision;

/// <summary>The save data inside a state: what the game's save file contained when the state was taken.</summary>
internal static class StateSaveData
{
    private const int GbaState = 0x61000;
    private const int EntryLength = 16; // tag, length, offset in the state
    private const int MaxEntries = 64;
    private const int Tag = 2;

    /// <summary>Reads it from a state, raw or PNG. Null when the state has none, or is damaged.</summary>
    public static byte[]? Of(byte[] state, string platform)
    {
        var raw = PngState.Unpack(new(state)).ToArray();
        var at = SizeOf(platform);
        for (var entry = 0; entry < MaxEntries && at + EntryLength <= raw.Length; entry++, at += EntryLength)
        {
            var tag = BinaryPrimitives.ReadInt32LittleEndian(raw.AsSpan(at));
            var length = BinaryPrimitives.ReadInt32LittleEndian(raw.AsSpan(at + 4));
            var offset = BinaryPrimitives.ReadInt64LittleEndian(raw.AsSpan(at + 8));
            if (tag == 0)
            {
                return null;
            }

            if (tag == Tag)
            {
                return length > 0 && offset >= 0 && offset <= raw.Length - length ? raw[(int)offset..((int)offset + length)] : null;
            }
        }

        return null;
    }

    private static int SizeOf(string platform) => platform == "gba" ? GbaState : GbVideo.StateSize;
}
