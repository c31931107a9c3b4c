using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Code that a line of a source was compiled to.</summary>
/// <param name="File">The file, as the compiler names it.</param>
/// <param name="Line">The line, from 1.</param>
/// <param name="Start">The first address.</param>
/// <param name="End">The address behind; that of the start for a line whose code is that of the next one.</param>
public readonly record struct SourceLine(string File, int Line, long Start, long End);

/// <summary>Reads which line each address of an ELF file comes from: the section <c>.debug_line</c> of DWARF 2 to 5.</summary>
internal ref struct SourceLines
{
    private const int MaxRows = 10_000_000;
    private const uint Is64Bit = 0xFFFF_FFFF;
    private const int Path = 1; // kinds of what version 5 says of a file
    private const int Folder = 2;

    private readonly ReadOnlySpan<byte> _section;
    private readonly ReadOnlySpan<byte> _lineNames;
    private readonly ReadOnlySpan<byte> _names;
    private readonly List<SourceLine> _lines = [];
    private readonly List<SourceLine> _sequence = [];
    private readonly IReadOnlyList<(long Start, long End)> _code;
    private int _at;
    private int _end; // of the unit
    private bool _is64Bit;
    private int _version;

    private SourceLines(ReadOnlySpan<byte> file)
    {
        _section = ElfFile.Section(file, ".debug_line");
        _lineNames = ElfFile.Section(file, ".debug_line_str");
        _names = ElfFile.Section(file, ".debug_str");
        _code = ElfFile.Code(file);
    }

    /// <summary>The lines, in the order of the file; none in a file without them.</summary>
    /// <exception cref="NameFormatException">It is damaged, or of another version.</exception>
    public static IReadOnlyList<SourceLine> Read(ReadOnlySpan<byte> file)
    {
        var lines = new SourceLines(file);
        while (lines._at < lines._section.Length)
        {
            lines.ReadUnit();
        }

        return lines._lines;
    }

    private void ReadUnit()
    {
        _end = _section.Length;
        var first = (uint)Fixed(4);
        _is64Bit = first == Is64Bit;
        var length = _is64Bit ? Fixed(8) : first;
        _end = length >= 0 && length <= _section.Length - _at ? _at + (int)length : throw Damaged();
        _version = (int)Fixed(2);
        if (_version is < 2 or > 5)
        {
            throw NameFormatException.AtByte(_at, string.Create(CultureInfo.InvariantCulture, $"Its lines are of DWARF {_version}; expected 2 to 5."));
        }

        if (_version == 5)
        {
            Fixed(2); // sizes of addresses and segments
        }

        var headerLength = Fixed(_is64Bit ? 8 : 4);
        var program = headerLength >= 0 && headerLength <= _end - _at ? _at + (int)headerLength : throw Damaged();
        var unit = (int)Fixed(1);
        if (_version >= 4)
        {
            Fixed(1); // operations of an instruction
        }

        Fixed(1); // whether rows begin statements
        var (lineBase, lineRange, opcodeBase) = ((sbyte)Fixed(1), (int)Fixed(1), (int)Fixed(1));
        if (lineRange == 0 || opcodeBase == 0)
        {
            throw Damaged();
        }

        var arguments = new int[opcodeBase];
        for (var opcode = 1; opcode < opcodeBase; opcode++)
        {
            arguments[opcode] = (int)Fixed(1);
        }

        var files = _version == 5 ? FilesOfVersion5() : FilesOfVersion2();
        _at = program;
        RunProgram(files, unit, lineBase, lineRange, opcodeBase, arguments);
        _at = _end;
    }

    private List<string> FilesOfVersion2()
    {
        List<string> folders = [""];
        while (Text() is { Length: > 0 } folder)
        {
            folders.Add(folder);
        }

        List<string> files = [""]; // counted from 1
        while (Text() is { Length: > 0 } name)
        {
            var folder = Unsigned();
            Unsigned();
            Unsigned();
            files.Add(Joined(folder < folders.Count ? folders[(int)folder] : "", name));
        }

        return files;
    }

    private List<string> FilesOfVersion5()
    {
        var folders = Entries().ConvertAll(static entry => entry.Name);
        return Entries().ConvertAll(entry => Joined(folders.Count > 0 ? folders[0] : "", Joined(entry.Folder > 0 && entry.Folder < folders.Count ? folders[(int)entry.Folder] : "", entry.Name)));
    }

    private List<(string Name, long Folder)> Entries()
    {
        var formats = new (long Kind, long Form)[Fixed(1)];
        for (var index = 0; index < formats.Length; index++)
        {
            formats[index] = (Unsigned(), Unsigned());
        }

        var entries = new List<(string, long)>();
        for (var count = Unsigned(); count > 0 && formats.Length > 0; count--)
        {
            var (name, folder) = ("", 0L);
            foreach (var (kind, form) in formats)
            {
                var (text, number) = Value(form);
                (name, folder) = (kind == Path ? text ?? name : name, kind == Folder ? number : folder);
            }

            entries.Add((name, folder));
        }

        return entries;
    }

    private (string? Text, long Number) Value(long form) => form switch
    {
        0x08 => (Text(), 0),
        0x1F => (TextAt(_lineNames, Fixed(_is64Bit ? 8 : 4)), 0),
        0x0E => (TextAt(_names, Fixed(_is64Bit ? 8 : 4)), 0),
        0x0B => (null, Fixed(1)),
        0x05 => (null, Fixed(2)),
        0x06 => (null, Fixed(4)),
        0x07 => (null, Fixed(8)),
        0x0F => (null, Unsigned()),
        0x1E => (null, Skip(16)),
        0x09 => (null, Skip(Unsigned())),
        _ => throw NameFormatException.AtByte(_at, string.Create(CultureInfo.InvariantCulture, $"The names of its sources have the form 0x{form:X}, which is not known.")),
    };

    private void RunProgram(List<string> files, int unit, int lineBase, int lineRange, int opcodeBase, int[] arguments)
    {
        var (address, file, line) = (0L, 1L, 1L);
        while (_at < _end)
        {
            var opcode = (int)Fixed(1);
            switch (opcode)
            {
                case var special when special >= opcodeBase:
                    address += (special - opcodeBase) / lineRange * unit;
                    line += lineBase + ((special - opcodeBase) % lineRange);
                    Add(files, address, file, line);
                    break;
                case 0:
                    var end = Unsigned() is > 0 and var length && length <= _end - _at ? _at + (int)length : throw Damaged();
                    switch (Fixed(1))
                    {
                        case 1:
                            EndSequence(address);
                            (address, file, line) = (0, 1, 1);
                            break;
                        case 2:
                            address = Fixed(end - _at);
                            break;
                        default:
                            break;
                    }

                    _at = end;
                    break;
                case 1:
                    Add(files, address, file, line);
                    break;
                case 2:
                    address += Unsigned() * unit;
                    break;
                case 3:
                    line += Signed();
                    break;
                case 4:
                    file = Unsigned();
                    break;
                case 8:
                    address += (255 - opcodeBase) / lineRange * unit;
                    break;
                case 9:
                    address += Fixed(2);
                    break;
                default:
                    for (var argument = 0; argument < arguments[opcode]; argument++)
                    {
                        Unsigned();
                    }

                    break;
            }
        }
    }

    // the row before ends there; a line 0 is no line of a source
    private readonly void Add(List<string> files, long address, long file, long line)
    {
        EndRow(address);
        _sequence.Add(new SourceLine(file >= 0 && file < files.Count ? files[(int)file] : "", line is > 0 and <= int.MaxValue ? (int)line : 0, address, address));
        if (_lines.Count + _sequence.Count > MaxRows)
        {
            throw NameFormatException.AtByte(_at, $"It has more than {MaxRows} rows of lines.");
        }
    }

    private readonly void EndRow(long address)
    {
        if (_sequence.Count > 0)
        {
            _sequence[^1] = _sequence[^1] with { End = Math.Max(address, _sequence[^1].Start) };
        }
    }

    // the linker leaves the lines of functions that it drops, at address 0
    private readonly void EndSequence(long address)
    {
        EndRow(address);
        if (_sequence.Count > 0 && IsCode(_sequence[0].Start))
        {
            _lines.AddRange(_sequence.Where(static row => row is { Line: > 0, File.Length: > 0 }));
        }

        _sequence.Clear();
    }

    private readonly bool IsCode(long address)
    {
        foreach (var (start, end) in _code)
        {
            if (address >= start && address < end)
            {
                return true;
            }
        }

        return false;
    }

    private static string Joined(string folder, string name) => folder.Length == 0 || IsWhole(name) ? name : $"{folder}/{name}";

    private static bool IsWhole(string path) => path is ['/', ..] or ['\\', ..] or [_, ':', ..];

    private long Fixed(int size)
    {
        if (size < 0 || size > _end - _at)
        {
            throw Damaged();
        }

        var bytes = _section.Slice(_at, size);
        _at += size;
        return size switch
        {
            1 => bytes[0],
            2 => BinaryPrimitives.ReadUInt16LittleEndian(bytes),
            4 => BinaryPrimitives.ReadUInt32LittleEndian(bytes),
            8 => BinaryPrimitives.ReadInt64LittleEndian(bytes),
            _ => throw Damaged(),
        };
    }

    private long Skip(long size)
    {
        _at = size >= 0 && size <= _end - _at ? _at + (int)size : throw Damaged();
        return 0;
    }

    private long Unsigned()
    {
        var value = 0L;
        for (var shift = 0; shift < 63; shift += 7)
        {
            var part = Fixed(1);
            value |= (part & 0x7F) << shift;
            if (part < 0x80)
            {
                return value;
            }
        }

        throw Damaged();
    }

    private long Signed()
    {
        var value = 0L;
        for (var shift = 0; shift < 63; shift += 7)
        {
            var part = Fixed(1);
            value |= (part & 0x7F) << shift;
            if (part < 0x80)
            {
                return (part & 0x40) != 0 ? value | (-1L << (shift + 7)) : value;
            }
        }

        throw Damaged();
    }

    private string Text()
    {
        var rest = _section[_at.._end];
        var length = rest.IndexOf((byte)0);
        _at += length >= 0 ? length + 1 : throw Damaged();
        return Encoding.UTF8.GetString(rest[..length]);
    }

    private readonly string TextAt(ReadOnlySpan<byte> section, long offset)
    {
        var rest = offset >= 0 && offset < section.Length ? section[(int)offset..] : throw Damaged();
        var length = rest.IndexOf((byte)0);
        return Encoding.UTF8.GetString(length >= 0 ? rest[..length] : throw Damaged());
    }

    private readonly NameFormatException Damaged() => NameFormatException.AtByte(_at, "The lines of its sources (.debug_line) are cut or damaged.");
}
