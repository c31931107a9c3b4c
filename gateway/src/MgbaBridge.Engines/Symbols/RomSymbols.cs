using System.Globalization;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The names beside a ROM, under the ROM's name: the symbols that a linker or an assembler wrote, and a property map with a game pack.</summary>
public static class RomSymbols
{
    private const long MaxBytes = 268_435_456; // an ELF file of a large game has much for debuggers

    private const string PackEnding = ".pack.json";

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
            if (Read(file, static bytes => SymbolFile.Read(bytes), notRead) is { } table)
            {
                return (file, table);
            }
        }

        return null;
    }

    /// <summary>Reads the property map with a game pack, <c>game.pack.json</c>.</summary>
    /// <param name="rom">The ROM.</param>
    /// <param name="notRead">Called with the file when it cannot be read, and why.</param>
    /// <returns>The file and its map; null when there is none.</returns>
    public static (string File, PropertyMap Map)? ReadPack(string rom, Action<string, string> notRead)
    {
        var file = Path.ChangeExtension(rom, PackEnding);
        return Read(file, static bytes => PropertyMapFile.Read(bytes), notRead) is { } map ? (file, map) : null;
    }

    private static T? Read<T>(string file, Func<byte[], T> read, Action<string, string> notRead)
        where T : class
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
                    return read(File.ReadAllBytes(file));
                default:
                    notRead(file, "It is a symbolic link or not a regular file. Put the file itself there.");
                    break;
            }
        }
        catch (Exception exception) when (exception is NameFormatException or IOException or UnauthorizedAccessException)
        {
            notRead(file, exception.Message);
        }

        return null;
    }
}
