using System.Globalization;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The symbols that a linker or an assembler wrote beside a ROM, under the ROM's name.</summary>
public static class RomSymbols
{
    private const long MaxBytes = 268_435_456; // an ELF file of a large game has much for debuggers

    // mGBA looks for the first two, in this order
    private static readonly string[] Endings = [".elf", ".sym", ".noi", ".map"];

    /// <summary>Reads the first file that has symbols.</summary>
    /// <param name="rom">The ROM.</param>
    /// <param name="notRead">Called with each file before it that cannot be read, and why.</param>
    /// <returns>The file and its symbols; null when there is none.</returns>
    public static (string File, SymbolTable Table)? Read(string rom, Action<string, string> notRead)
    {
        foreach (var file in Endings.Select(ending => Path.ChangeExtension(rom, ending)))
        {
            try
            {
                switch (LocalFiles.KindOf(file))
                {
                    case FileKind.Absent:
                        break;
                    case FileKind.File when new FileInfo(file).Length is var length && length > MaxBytes:
                        notRead(file, string.Create(CultureInfo.InvariantCulture, $"It has {length} bytes; the limit is {MaxBytes}."));
                        break;
                    case FileKind.File:
                        return (file, SymbolFile.Read(File.ReadAllBytes(file)));
                    default:
                        notRead(file, "It is a symbolic link or not a regular file. Put the file itself there.");
                        break;
                }
            }
            catch (Exception exception) when (exception is NameFormatException or IOException or UnauthorizedAccessException)
            {
                notRead(file, exception.Message);
            }
        }

        return null;
    }
}
