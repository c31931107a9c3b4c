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

    /// <summary>A raw state with this save data, and without other extra data.</summary>
    /// <param name="state">The state, raw or PNG.</param>
    /// <param name="platform">Its console.</param>
    /// <param name="saveData">The save data.</param>
    public static byte[] With(byte[] state, string platform, ReadOnlySpan<byte> saveData)
    {
        var size = SizeOf(platform);
        var offset = size + (2 * EntryLength); // behind its entry and that which ends the list
        var changed = new byte[offset + saveData.Length];
        PngState.Unpack(new(state)).Slice(0, size).CopyTo(changed);
        BinaryPrimitives.WriteInt32LittleEndian(changed.AsSpan(size), Tag);
        BinaryPrimitives.WriteInt32LittleEndian(changed.AsSpan(size + 4), saveData.Length);
        BinaryPrimitives.WriteInt64LittleEndian(changed.AsSpan(size + 8), offset);
        saveData.CopyTo(changed.AsSpan(offset));
        return changed;
    }

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
