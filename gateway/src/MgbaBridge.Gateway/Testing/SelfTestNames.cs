using System.Globalization;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Testing;

/// <summary>The names of addresses in the log of a GBA ROM: from the ROM itself if it is an ELF file, or from the one of its name beside it.</summary>
/// <param name="rom">The ROM.</param>
internal sealed class SelfTestNames(string rom)
{
    private const long MaxBytes = 268_435_456;

    private readonly Lazy<Symbol[]> _symbols = new(() => Read(rom));

    /// <summary><c>AgbMain+0x4</c>; null for an address in no function and no variable.</summary>
    public string? Of(long address)
    {
        var symbols = _symbols.Value;
        var (low, high) = (0, symbols.Length);
        while (low < high)
        {
            var middle = (low + high) / 2;
            (low, high) = symbols[middle].Location.Offset <= FirstOf(address) ? (middle + 1, high) : (low, middle);
        }

        var offset = low == 0 ? 0 : FirstOf(address) - symbols[low - 1].Location.Offset;
        return low == 0 || offset >= symbols[low - 1].Size ? null
            : offset == 0 ? $"{symbols[low - 1].Name}+0" : string.Create(CultureInfo.InvariantCulture, $"{symbols[low - 1].Name}+0x{offset:x}");
    }

    private static Symbol[] Read(string rom)
    {
        try
        {
            foreach (var path in new[] { rom, Path.ChangeExtension(rom, ".elf") })
            {
                if (new FileInfo(path) is { Exists: true, Length: <= MaxBytes } && File.ReadAllBytes(path) is var file && file.AsSpan().StartsWith(ElfFile.Magic))
                {
                    return [.. SymbolFile.Read(file).All.Where(static symbol => symbol.Size > 0 && symbol.Location.Domain is null)];
                }
            }
        }
        catch (Exception exception) when (exception is NameFormatException or IOException or UnauthorizedAccessException)
        {
            // the log is readable without names
        }

        return [];
    }

    // memory and ROM are there several times
    private static long FirstOf(long address) => (address >> 24) switch
    {
        2 => address & 0x203_FFFF,
        3 => address & 0x300_7FFF,
        7 => address & 0x700_03FF,
        >= 0xA and <= 0xD => 0x800_0000 | (address & 0x1FF_FFFF),
        _ => address,
    };
}
