using System.IO.Compression;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Supervision;

/// <summary>A zip archive with a ROM: what is uploaded and what is started follow the same rule.</summary>
/// <param name="Rom">Its only ROM; null when there is none, or more than one.</param>
/// <param name="LeftOut">Names of save data, patches and cheats in it, at most so many: the archive is used for its ROM alone.</param>
/// <param name="Problem">Why it has no ROM to play, and what to change; null when it has.</param>
internal sealed record RomArchive(ZipArchiveEntry? Rom, IReadOnlyList<string> LeftOut, string? Problem)
{
    private const int MaxEntries = 10_000; // whose first bytes are looked at; the rest has to be named like a ROM
    private const int MaxLeftOut = 8;
    private const int MaxName = 80;

    private static readonly string[] Beside = [".sav", ".srm", ".sa1", ".sa2", ".sps", ".xps", ".gsv", ".dsv", ".ips", ".ups", ".bps", ".cht", ".cheats"];

    /// <summary>Whether a file begins like a zip archive.</summary>
    public static bool IsArchive(ReadOnlySpan<byte> head) => head.StartsWith("PK\u0003\u0004"u8);

    /// <summary>What to play in an archive, as mgba-headless chooses by content: names decide only when no content is a ROM's, so that what is wrong with it can be said.</summary>
    public static RomArchive Of(ZipArchive zip)
    {
        ZipArchiveEntry[] files = [.. zip.Entries.Where(static entry => entry.Name.Length > 0 && entry.Name[0] != '.')];
        ZipArchiveEntry[] roms = [.. files.Where(static (entry, index) => (index < MaxEntries || RomFolders.IsRomName(entry.Name)) && RomHeader.IsRom(HeadOf(entry))).Take(2)];
        roms = roms.Length > 0 ? roms : [.. files.Where(static entry => RomFolders.IsRomName(entry.Name)).Take(2)];
        string[] leftOut = [.. files.Where(static entry => Beside.Contains(Path.GetExtension(entry.Name), StringComparer.OrdinalIgnoreCase)).Take(MaxLeftOut).Select(NameOf)];
        return new RomArchive(roms is [var rom] ? rom : null, leftOut, roms.Length switch
        {
            0 => "The zip archive has no GBA, GB or GBC ROM.",
            1 => null,
            _ => $"The zip archive has more than one ROM, {NameOf(roms[0])} and {NameOf(roms[1])} among them; unpack it, and take one of them.",
        });
    }

    /// <summary>The same for a file; null when it is no zip archive, or cannot be read: the emulator says why.</summary>
    public static RomArchive? Read(string file)
    {
        try
        {
            using var stream = File.OpenRead(file);
            if (!IsArchive(RomHeader.Of(stream)))
            {
                return null;
            }

            using var zip = new ZipArchive(stream);
            return Of(zip);
        }
        catch (InvalidDataException exception)
        {
            return new RomArchive(null, [], Damaged(exception));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The sentence about an archive that cannot be read.</summary>
    public static string Damaged(Exception exception) => $"The zip archive is damaged or encrypted: {exception.Message}";

    private static byte[] HeadOf(ZipArchiveEntry entry)
    {
        try
        {
            using var content = entry.Open();
            return RomHeader.Of(content);
        }
        catch (Exception exception) when (exception is InvalidDataException or NotSupportedException)
        {
            return [];
        }
    }

    private static string NameOf(ZipArchiveEntry entry) => EscapedText.Of(entry.Name.Length <= MaxName ? entry.Name : $"{entry.Name[..MaxName]}…");
}

/// <summary>The first bytes of ROMs.</summary>
internal static class RomHeader
{
    private const int Bytes = 0x150;
    private const int MaxSize = 8;
    private const long SmallestSize = 0x8000; // of a Game Boy's ROM, whose header has how often it doubles

    /// <summary>Those of a file, or fewer.</summary>
    public static byte[] Of(Stream file)
    {
        var head = new byte[Bytes];
        return head[..file.ReadAtLeast(head, Bytes, throwOnEndOfStream: false)];
    }

    /// <summary>What mgba-headless looks at first (headless/machine/rom.c); it says more about a damaged one.</summary>
    public static bool IsRom(ReadOnlySpan<byte> head) =>
        (head.Length >= 0xC0 && head[3] == 0xEA && (head[0xB2] == 0x96 || !head[4..0xA0].ContainsAnyExcept((byte)0)))
        || IsGameBoy(head);

    /// <summary>Whether so many bytes are all of it, as far as the header tells.</summary>
    public static bool IsWhole(ReadOnlySpan<byte> head, long length) => IsRom(head) && (!IsGameBoy(head) || head[0x148] > MaxSize || length >= SmallestSize << head[0x148]);

    private static bool IsGameBoy(ReadOnlySpan<byte> head) => head.Length >= Bytes && head[0x104..].StartsWith((ReadOnlySpan<byte>)[0xCE, 0xED, 0x66, 0x66]);
}
