using System.Buffers.Binary;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>An ELF file made of nothing but a symbol table.</summary>
internal static class ElfImage
{
    private const int Header = 0x34;
    private const int Section = 40;
    private const int Symbol = 16;

    /// <summary>All symbols have the one string of this length as their name.</summary>
    public static byte[] SharingOneName(int symbols, int length)
    {
        var (table, names) = (Header + (3 * Section), Header + (3 * Section) + (symbols * Symbol));
        var file = new byte[names + length + 1];
        (file[0], file[4], file[5]) = (0x7F, 1, 1);
        "ELF"u8.CopyTo(file.AsSpan(1));
        Word(file, 0x20, Header);
        (file[0x2E], file[0x30]) = (Section, 3);
        Describe(file, 1, 2, table, symbols * Symbol);
        Word(file, Header + Section + 24, 2);
        Describe(file, 2, 3, names, length + 1);
        for (var at = table; at < names; at += Symbol)
        {
            Word(file, at + 4, 0x02000000);
            file[at + 14] = 1;
        }

        file.AsSpan(names, length).Fill((byte)'n');
        return file;
    }

    private static void Describe(byte[] file, int section, int type, int offset, int size)
    {
        Word(file, Header + (section * Section) + 4, type);
        Word(file, Header + (section * Section) + 16, offset);
        Word(file, Header + (section * Section) + 20, size);
    }

    private static void Word(byte[] file, int at, int value) => BinaryPrimitives.WriteInt32LittleEndian(file.AsSpan(at), value);
}
