using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Symbols;

public sealed class SymbolFileTests
{
    [Fact]
    public void Read_OfAnElfFile_HasItsVariables()
    {
        var table = SymbolFile.Read(File.ReadAllBytes(Repository.File("docs/examples/mgba-bridge-test.elf")));
        Assert.Equal("elf", table.Format);
        Assert.Equal(["0x03000048 4", "0x02000000 0", "0x03000004 64"], new[] { "box_x", "mbt_block", "save.0" }.Select(name => TextOf(table, name)));
        Assert.False(table.TryGet("main.c", out _));
    }

    [Theory]
    [InlineData("02000008 frames\r\n; a comment\n\n02000010 .byt:0004\n0200000C\tkeys ; live\n", "keys", "0x0200000C 0")]
    [InlineData("02000000 A mbt_block\n03000048 b box_x\n", "box_x", "0x03000048 0")]
    [InlineData("01:D123 wPlayerHP\n00:C100 wBlock\n", "wPlayerHP", "wram:0x1123 0")]
    [InlineData("03:4001 Code\n", "Code", "cart0:0xC001 0")]
    [InlineData("02:A010 sSave\n", "sSave", "sram:0x4010 0")]
    public void Read_OfAList_KnowsItsFormatHint(string text, string name, string expected) => Assert.Equal(expected, TextOf(SymbolFile.Read(Encoding.UTF8.GetBytes(text)), name));

    [Fact]
    public void Read_OfAMapOfTheLinker_HasItsGlobals()
    {
        const string Map = """
            Memory Configuration

            Name             Origin             Length             Attributes
            rom              0x0000000008000000 0x0000000002000000 xr

            Linker script and memory map

                            0x0000000002000000                mbt_block = 0x2000000

            .text           0x0000000008000000      0x83c
             .start         0x0000000008000000       0xf4 build/gba-start.o
                            0x0000000008000000                _start
             .text.startup  0x0000000008000700      0x130 build/gba-main.o
                            0x0000000008000701                main
                            0x0000000003000000                __bss_start = .
            """;
        var table = SymbolFile.Read(Encoding.UTF8.GetBytes(Map));
        Assert.Equal(("map", 4), (table.Format, table.All.Count));
        Assert.Equal("0x02000000 0", TextOf(table, "mbt_block"));
        Assert.Equal("0x08000701 0", TextOf(table, "main"));
        Assert.Equal("0x03000000 0", TextOf(table, "__bss_start"));
    }

    [Theory]
    [InlineData("02000000 good\n  nonsense here and there\n", "Line 2, column 3: A line is an address")]
    [InlineData("hello\n", "Line 1, column 1: A line is an address")]
    [InlineData("", "Line 1, column 1: There is no symbol in it.")]
    [InlineData("\u007FELF", "Byte 0x4: This ELF file is not for 32 bits")]
    public void Read_OfWhatItIsNot_SaysWhere(string text, string expected)
    {
        var exception = Assert.Throws<NameFormatException>(() => SymbolFile.Read(Encoding.UTF8.GetBytes(text)));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_OfADamagedElfFile_IsRefusedOrRead()
    {
        var whole = File.ReadAllBytes(Repository.File("docs/examples/mgba-bridge-test.elf"));
        var damages = Gen.Choose(0, whole.Length - 1).Zip(Gen.Choose(0, 255)).ArrayOf().Zip(Gen.Choose(0, whole.Length)).ToArbitrary();
        Prop.ForAll(damages, damage =>
        {
            var (flips, length) = (damage.Item1, damage.Item2);
            var bytes = whole.ToArray();
            Array.ForEach(flips, flip => bytes[flip.Item1] = (byte)flip.Item2);
            try
            {
                return SymbolFile.Read(bytes.AsSpan(0, length)).All.Count > 0;
            }
            catch (NameFormatException)
            {
                return true;
            }
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(2_000));
    }

    [Theory]
    [InlineData(131_000, 2_000_000, "A symbol's name has 1025 bytes or more; the limit is 1024.")]
    [InlineData(20_000, 1_000, "characters; the limit is 8388608 for all of a file.")]
    [InlineData(270_000, 1, "more than 262144 symbols")]
    public void Read_OfAnElfFileWhoseSymbolsShareAString_IsBounded(int symbols, int length, string expected)
    {
        var exception = Assert.Throws<NameFormatException>(() => SymbolFile.Read(ElfImage.SharingOneName(symbols, length)));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("02000000 ", "", 1_025, "Line 2, column 1: A symbol's name has 1025 bytes")]
    [InlineData("02000000 ", "", 5_000, "Line 2, column 4097: The line has 5009 bytes; the limit is 4096.")]
    [InlineData("Linker script and memory map\n   0x02000000   ", "", 1_025, "Line 3, column 1: A symbol's name has 1025 bytes")]
    public void Read_OfALongLine_SaysTheLimit(string before, string after, int length, string expected)
    {
        var text = $"; a comment {new string('c', 5_000)}\n{before}{new string('n', length)}{after}\n";
        var exception = Assert.Throws<NameFormatException>(() => SymbolFile.Read(Encoding.UTF8.GetBytes(text)));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    private static string TextOf(SymbolTable table, string name)
    {
        Assert.True(table.TryGet(name, out var symbol), $"there is no {name}");
        return $"{symbol.Location} {symbol.Size}";
    }
}
