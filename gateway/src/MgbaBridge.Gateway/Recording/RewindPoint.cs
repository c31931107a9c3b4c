using System.Buffers.Binary;

namespace MgbaBridge.Gateway.Recording;

/// <summary>A state to go back to.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="State">The state; a PNG that shows it, where the emulator has a picture.</param>
public sealed record RewindPoint(long Frame, uint Epoch, ReadOnlyMemory<byte> State)
{
    private const int Frills = 12;

    /// <summary>The picture: the PNG without the chunks that have the state. Null where there is none.</summary>
    public ReadOnlyMemory<byte>? Picture()
    {
        var png = State.Span;
        if (png is not [0x89, (byte)'P', (byte)'N', (byte)'G', ..])
        {
            return null;
        }

        var picture = new List<byte>(png[..8].ToArray());
        for (var at = 8; at + Frills <= png.Length;)
        {
            var length = BinaryPrimitives.ReadInt32BigEndian(png[at..]) + Frills;
            if (length < Frills || at + length > png.Length)
            {
                return null;
            }

            if (png.Slice(at + 4, 3) is not [(byte)'g', (byte)'b', (byte)'A'])
            {
                picture.AddRange(png.Slice(at, length));
            }

            at += length;
        }

        return picture.ToArray();
    }
}
