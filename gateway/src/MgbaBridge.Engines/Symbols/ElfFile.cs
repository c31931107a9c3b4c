using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The symbol table of an ELF file for 32 bits, little-endian, as compilers for the GBA write it.</summary>
internal static class ElfFile
{
    private const int HeaderSize = 0x34;
    private const int Class = 4;
    private const int SectionHeaders = 0x20;
    private const int SectionHeaderSize = 0x2E;
    private const int SectionHeaderCount = 0x30;
    private const int SymbolTableType = 2;
    private const int SymbolSize = 16;
    private const int Function = 2;
    private const int SectionNames = 0x32;
    private const int NoContent = 8;
    private const int IsCode = 4;
    private const int IsCompressed = 0x800;
    private const int ZLib = 1;
    private const int CompressionHeader = 12;
    private const int MaxUnpacked = 268_435_456;

    /// <summary>Names with a $ mark where code and data begin.</summary>
    public const string Marks = "marks of code and data, such as $t";


    /// <summary>How it begins.</summary>
    public static ReadOnlySpan<byte> Magic => "\u007FELF"u8;

    public static SymbolList Read(ReadOnlySpan<byte> file)
    {
        if (file.Length < HeaderSize || file[Class] != 1 || file[Class + 1] != 1)
        {
            throw NameFormatException.AtByte(Class, "This ELF file is not for 32 bits, little-endian.");
        }

        var (first, size, count) = (Word(file, SectionHeaders), Half(file, SectionHeaderSize), Half(file, SectionHeaderCount));
        for (var section = 0; section < count; section++)
        {
            var header = first + (section * size);
            if (Word(file, header + 4) == SymbolTableType)
            {
                var names = first + (Word(file, header + 24) * size);
                var at = Word(file, header + 16);
                return ReadSymbols(Part(file, at, Word(file, header + 20)), Part(file, Word(file, names + 16), Word(file, names + 20)), at);
            }
        }

        throw NameFormatException.AtByte(first, "This ELF file has no symbol table; it was stripped.");
    }

    /// <summary>The functions: names, first addresses and sizes, which are at least 1.</summary>
    /// <exception cref="NameFormatException">It is damaged.</exception>
    public static IReadOnlyList<Symbol> Functions(ReadOnlySpan<byte> file)
    {
        var found = new List<Symbol>();
        foreach (var section in SectionsOf(file).Where(static section => section.Type == SymbolTableType))
        {
            var names = SectionsOf(file).ElementAtOrDefault((int)section.Link);
            var symbols = Part(file, section.Offset, section.Size);
            for (var at = section.Offset; symbols.Length >= SymbolSize; symbols = symbols[SymbolSize..], at += SymbolSize)
            {
                if ((symbols[12] & 0xF) == Function && BinaryPrimitives.ReadUInt16LittleEndian(symbols[14..]) != 0)
                {
                    var name = Encoding.UTF8.GetString(NameAt(Part(file, names.Offset, names.Size), Word(symbols, 0), at));
                    found.Add(new Symbol(name, Location.Bus(Word(symbols, 4) & ~1L), Math.Max(1, Word(symbols, 8))));
                }
            }
        }

        return found;
    }

    /// <summary>The content of a section, unpacked; nothing where there is none of this name.</summary>
    /// <exception cref="NameFormatException">It is damaged.</exception>
    public static ReadOnlySpan<byte> Section(ReadOnlySpan<byte> file, string name)
    {
        var sections = SectionsOf(file);
        var names = sections.ElementAtOrDefault(Half(file, SectionNames));
        foreach (var section in sections)
        {
            if (section.Type != NoContent && Encoding.UTF8.GetString(NameAt(Part(file, names.Offset, names.Size), section.Name, section.Offset)) == name)
            {
                var content = Part(file, section.Offset, section.Size);
                return (section.Flags & IsCompressed) != 0 ? Unpack(content, section.Offset) : content;
            }
        }

        return default;
    }

    /// <summary>Where its code is in memory.</summary>
    /// <exception cref="NameFormatException">It is damaged.</exception>
    public static IReadOnlyList<(long Start, long End)> Code(ReadOnlySpan<byte> file) =>
        [.. SectionsOf(file).Where(static section => (section.Flags & IsCode) != 0).Select(static section => (section.Address, section.Address + section.Size))];

    private static List<(long Name, long Type, long Flags, long Address, long Offset, long Size, long Link)> SectionsOf(ReadOnlySpan<byte> file)
    {
        var sections = new List<(long, long, long, long, long, long, long)>();
        var (first, size, count) = (Word(file, SectionHeaders), Half(file, SectionHeaderSize), Half(file, SectionHeaderCount));
        for (var section = 0; section < count; section++)
        {
            var at = first + (section * size);
            sections.Add((Word(file, at), Word(file, at + 4), Word(file, at + 8), Word(file, at + 12), Word(file, at + 16), Word(file, at + 20), Word(file, at + 24)));
        }

        return sections;
    }

    // its kind, its size and its alignment, then the content
    private static byte[] Unpack(ReadOnlySpan<byte> content, long at)
    {
        var size = Word(content, 4);
        if (Word(content, 0) != ZLib || size > MaxUnpacked)
        {
            throw NameFormatException.AtByte(at, "A section of this ELF file is compressed in a way that is not known, or too large.");
        }

        try
        {
            var unpacked = new byte[size];
            using var reader = new ZLibStream(new MemoryStream(content[CompressionHeader..].ToArray()), CompressionMode.Decompress);
            reader.ReadExactly(unpacked);
            return unpacked;
        }
        catch (Exception exception) when (exception is InvalidDataException or EndOfStreamException)
        {
            throw NameFormatException.AtByte(at, "A compressed section of this ELF file is damaged.");
        }
    }

    private static SymbolList ReadSymbols(ReadOnlySpan<byte> symbols, ReadOnlySpan<byte> names, long at)
    {
        var found = new SymbolList();
        for (; symbols.Length >= SymbolSize; symbols = symbols[SymbolSize..], at += SymbolSize)
        {
            var (kind, section) = (symbols[12] & 0xF, BinaryPrimitives.ReadUInt16LittleEndian(symbols[14..]));

            if (kind > Function || section == 0)
            {
                // the first entry of each table is empty
                if (Word(symbols, 0) != 0)
                {
                    found.Leave(section == 0 ? "names without an address" : "sections, files and other names that are no places");
                }

                continue;
            }

            var name = NameAt(names, Word(symbols, 0), at);
            if (name is [(byte)'$', ..])
            {
                found.Leave(Marks);
            }
            else if (!name.IsEmpty)
            {
                var address = kind == Function ? Word(symbols, 4) & ~1L : Word(symbols, 4);
                found.Add(name, Location.Bus(address), Word(symbols, 8), at);
            }
        }

        return found;
    }

    // symbols may share a string, so no more of it is looked at than a name may have
    private static ReadOnlySpan<byte> NameAt(ReadOnlySpan<byte> names, long name, long symbol)
    {
        if (name > names.Length)
        {
            throw NameFormatException.AtByte(symbol, "The name of this symbol is beyond the end of the names.");
        }

        var rest = names.Slice((int)name, (int)Math.Min(names.Length - name, NameLimits.SymbolName + 1));
        var end = rest.IndexOf((byte)0);
        return end < 0 ? rest : rest[..end];
    }

    private static long Word(ReadOnlySpan<byte> bytes, long at) => BinaryPrimitives.ReadUInt32LittleEndian(Part(bytes, at, 4));

    private static int Half(ReadOnlySpan<byte> bytes, long at) => BinaryPrimitives.ReadUInt16LittleEndian(Part(bytes, at, 2));

    private static ReadOnlySpan<byte> Part(ReadOnlySpan<byte> bytes, long at, long length) => at >= 0 && length >= 0 && at + length <= bytes.Length
        ? bytes.Slice((int)at, (int)length)
        : throw NameFormatException.AtByte(at, "This ELF file is truncated: it refers to bytes beyond its end.");
}
