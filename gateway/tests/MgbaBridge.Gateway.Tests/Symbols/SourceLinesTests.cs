using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Symbols;

public sealed class SourceLinesTests
{
    // two rows of one file, and of a function that the linker has dropped
    private static readonly byte[] Program =
    [
        0, 5, 2, 0x00, 0x01, 0x00, 0x08, // the address 0x08000100
        3, 9, 1, // line 10
        4, 2, 2, 4, 3, 0x7F, 1, // the second file, 4 bytes further, a line before
        0x0F, // as a special opcode: 1 byte, 0 lines
        2, 1, 0, 1, 1, // 1 byte further is the end
        0, 5, 2, 0, 0, 0, 0, 1, 2, 4, 0, 1, 1,
    ];

    [Fact]
    public void Elf_OfACompiler_HasTheLinesOfItsFunctions()
    {
        var file = File.ReadAllBytes(Repository.File("headless/roms/units.elf"));

        var lines = SourceLines.Read(file);
        var functions = ElfFile.Functions(file).ToDictionary(static function => function.Name, static function => function.Location.Offset);

        Assert.Equal(["gba/units.c"], lines.Select(static line => line.File).Distinct());
        Assert.Equal((50, 54), (LineOf("revive"), LineOf("main_loop")));
        Assert.All(lines, static line => Assert.InRange(line.End - line.Start, 0, 256));

        int LineOf(string function) => lines.First(line => line.Start == functions[function]).Line;
    }

    [Theory]
    [InlineData(2, false)]
    [InlineData(3, false)]
    [InlineData(4, false)]
    [InlineData(4, true)]
    public void Elf_OfOlderVersions_HasLines(int version, bool isCompressed)
    {
        var lines = SourceLines.Read(Elf(Unit(version), isCompressed));

        Assert.Equal(
            [new SourceLine("src/a.c", 10, 0x0800_0100, 0x0800_0104), new SourceLine("/b.c", 9, 0x0800_0104, 0x0800_0105), new SourceLine("/b.c", 9, 0x0800_0105, 0x0800_0106)],
            lines);
    }

    [Fact]
    public void Elf_WithoutLines_HasNone() => Assert.Empty(SourceLines.Read(File.ReadAllBytes(Repository.File("docs/examples/mgba-bridge-test.elf"))));

    [Fact]
    public void Elf_ThatIsCutOrChanged_IsReadOrRefused()
    {
        var random = new Random(51);
        foreach (var whole in new[] { File.ReadAllBytes(Repository.File("headless/roms/units.elf")), Elf(Unit(4), isCompressed: true) })
        {
            for (var round = 0; round < 3_000; round++)
            {
                var file = whole.AsSpan(0, round % 3 == 0 ? random.Next(60, whole.Length) : whole.Length).ToArray();
                for (var change = random.Next(3); change > 0; change--)
                {
                    file[random.Next(52, file.Length)] = (byte)random.Next(256);
                }

                try
                {
                    SourceLines.Read(file);
                    ElfFile.Functions(file);
                }
                catch (NameFormatException)
                {
                    // said in a sentence
                }
            }
        }
    }

    [Fact]
    public void Elf_OfALaterVersion_IsRefused() =>
        Assert.Contains("Its lines are of DWARF 6; expected 2 to 5.", Assert.Throws<NameFormatException>(static () => SourceLines.Read(Elf(Unit(6), isCompressed: false))).Message, StringComparison.Ordinal);

    private static byte[] Unit(int version)
    {
        byte[] header =
        [
            1, .. version >= 4 ? new byte[] { 1 } : [], 1, 0xFF, 4, 10, // of an instruction 1 byte; lines -1 to 2 by special opcodes from 10 on
            0, 1, 1, 1, 1, 0, 0, 0, 1,
            .. "src\0\0"u8, .. "a.c\0"u8, 1, 0, 0, .. "/b.c\0"u8, 1, 0, 0, 0,
        ];
        var unit = new byte[10 + header.Length + Program.Length];
        BinaryPrimitives.WriteInt32LittleEndian(unit, unit.Length - 4);
        BinaryPrimitives.WriteInt16LittleEndian(unit.AsSpan(4), (short)version);
        BinaryPrimitives.WriteInt32LittleEndian(unit.AsSpan(6), header.Length);
        header.CopyTo(unit, 10);
        Program.CopyTo(unit, 10 + header.Length);
        return unit;
    }

    // sections: none, .text, .debug_line, .shstrtab
    private static byte[] Elf(byte[] lines, bool isCompressed)
    {
        var names = Encoding.ASCII.GetBytes("\0.text\0.debug_line\0.shstrtab\0");
        var content = isCompressed ? Compressed(lines) : lines;
        var file = new byte[52 + names.Length + content.Length + (4 * 40)];
        var headers = 52 + names.Length + content.Length;
        byte[] start = [0x7F, (byte)'E', (byte)'L', (byte)'F', 1, 1, 1];
        start.CopyTo(file, 0);
        BinaryPrimitives.WriteInt32LittleEndian(file.AsSpan(0x20), headers);
        BinaryPrimitives.WriteInt16LittleEndian(file.AsSpan(0x2E), 40);
        BinaryPrimitives.WriteInt16LittleEndian(file.AsSpan(0x30), 4);
        BinaryPrimitives.WriteInt16LittleEndian(file.AsSpan(0x32), 3);
        names.CopyTo(file, 52);
        content.CopyTo(file, 52 + names.Length);
        int[][] sections = [[0, 0, 0, 0, 0, 0], [1, 1, 6, 0x0800_0000, 0, 0x200], [7, 1, isCompressed ? 0x800 : 0, 0, 52 + names.Length, content.Length], [19, 3, 0, 0, 52, names.Length]];
        foreach (var (section, fields) in sections.Index())
        {
            foreach (var (field, value) in fields.Index())
            {
                BinaryPrimitives.WriteInt32LittleEndian(file.AsSpan(headers + (section * 40) + (field * 4)), value);
            }
        }

        return file;
    }

    private static byte[] Compressed(byte[] content)
    {
        using var packed = new MemoryStream();
        packed.Write([1, 0, 0, 0, (byte)content.Length, (byte)(content.Length >> 8), 0, 0, 1, 0, 0, 0]);
        using (var writer = new ZLibStream(packed, CompressionLevel.Optimal, leaveOpen: true))
        {
            writer.Write(content);
        }

        return packed.ToArray();
    }
}
