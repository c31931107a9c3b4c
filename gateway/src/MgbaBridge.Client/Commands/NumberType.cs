using System.Buffers.Binary;

namespace MgbaBridge.Client.Commands;

/// <summary>The type of a number in memory.</summary>
public enum NumberType
{
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
}

/// <summary>The properties of a number type.</summary>
public static class NumberTypes
{
    /// <summary>The names of all types.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Enum.GetValues<NumberType>().Select(Name)];

    /// <summary>Its name: <c>u16</c>.</summary>
    public static string Name(this NumberType type) => type.ToString().ToLowerInvariant();

    /// <summary>The size in bits.</summary>
    public static CellWidth Width(this NumberType type) => type switch
    {
        NumberType.U8 or NumberType.S8 => CellWidth.Byte,
        NumberType.U16 or NumberType.S16 => CellWidth.Half,
        _ => CellWidth.Word,
    };

    /// <summary>The size in bytes.</summary>
    public static int Bytes(this NumberType type) => (int)type.Width() / 8;

    /// <summary>Converts an unsigned value of memory to this type.</summary>
    public static long Of(this NumberType type, long unsigned) => type switch
    {
        NumberType.S8 => (sbyte)unsigned,
        NumberType.S16 => (short)unsigned,
        NumberType.S32 => (int)unsigned,
        _ => unsigned,
    };

    /// <summary>The number in these little-endian bytes.</summary>
    public static long Read(this NumberType type, ReadOnlySpan<byte> bytes) => type.Of(type.Width() switch
    {
        CellWidth.Byte => bytes[0],
        CellWidth.Half => BinaryPrimitives.ReadUInt16LittleEndian(bytes),
        _ => BinaryPrimitives.ReadUInt32LittleEndian(bytes),
    });

    /// <summary>The number in these bytes.</summary>
    public static long Read(this NumberType type, ReadOnlySpan<byte> bytes, Endian endian) => endian == Endian.Little ? type.Read(bytes) : type.Of(type.Width() switch
    {
        CellWidth.Byte => bytes[0],
        CellWidth.Half => BinaryPrimitives.ReadUInt16BigEndian(bytes),
        _ => BinaryPrimitives.ReadUInt32BigEndian(bytes),
    });

    /// <summary>The greatest number of this type.</summary>
    public static long Greatest(this NumberType type) => (1L << ((int)type.Width() - (type is NumberType.S8 or NumberType.S16 or NumberType.S32 ? 1 : 0))) - 1;

    /// <summary>Whether a number can be written as this type: unsigned, or negative in two's complement.</summary>
    public static bool CanHold(this NumberType type, long number) => number >= -(1L << ((int)type.Width() - 1)) && number < 1L << (int)type.Width();

    /// <summary>Writes a number.</summary>
    public static void Write(this NumberType type, long number, Span<byte> bytes, Endian endian)
    {
        for (var place = 0; place < type.Bytes(); place++)
        {
            bytes[endian == Endian.Little ? place : type.Bytes() - 1 - place] = (byte)(number >> (8 * place));
        }
    }

    /// <summary>Reads <c>u16</c> and the like.</summary>
    public static bool TryParse(ReadOnlySpan<char> word, out NumberType type)
    {
        type = default;
        return word is ['u' or 's' or 'U' or 'S', .. var bits] && bits is "8" or "16" or "32" && Enum.TryParse(word, ignoreCase: true, out type);
    }

    /// <summary>Reads <c>u16</c>, and <c>u16be</c> for big-endian.</summary>
    public static bool TryParse(ReadOnlySpan<char> word, out NumberType type, out Endian endian)
    {
        endian = word.EndsWith("be", StringComparison.Ordinal) ? Endian.Big : Endian.Little;
        return TryParse(endian == Endian.Big ? word[..^2] : word, out type);
    }

    /// <summary>Its wire name.</summary>
    public static ReadOnlySpan<byte> Word(this NumberType type) => type switch
    {
        NumberType.U8 => "u8"u8,
        NumberType.S8 => "s8"u8,
        NumberType.U16 => "u16"u8,
        NumberType.S16 => "s16"u8,
        NumberType.U32 => "u32"u8,
        _ => "s32"u8,
    };
}

/// <summary>The byte order of a number in memory.</summary>
public enum Endian
{
    Little,
    Big,
}
