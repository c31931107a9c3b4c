using System.Buffers.Binary;
using System.Globalization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// Save data as people have it in files: as mGBA keeps it, with the bytes of a cartridge's clock behind it or 512 bytes in front of it, in the files of
/// cheat devices and of DeSmuME, and compressed by gzip or RetroArch.
/// </summary>
internal static class SaveFile
{
    private const int Header = 512; // of devices that copy cartridges
    private const int Deepest = 2; // RetroArch's compression, and the file once more
    private const int LargestEeprom = 8_192;
    private const int GbaClock = 16;
    private const int GbClock = 48; // of MBC3
    private const int OldGbClock = 44; // its time has 32 bits
    private const int Huc3Clock = 136;
    private const int Tama5Clock = 40;
    private const int Tama5Size = 32;
    private const int GbaClockControlAt = 0x2AC; // in a raw state
    private const int GbaClockTimeAt = 0x2B0;
    private const int GbaDevicesAt = 0x2B7;
    private const int GsvTypeAt = 0x1C;
    private const int GsvDataAt = 0x430;
    private const int SharkPortHeader = 0x1C;
    private const string StateNotSave = "are a save state, not save data; load them as a state";

    private const int GbLogoAt = 0x104;
    private const int GbaLogoAt = 4;

    private static readonly int[] GbClocks = [GbClock, Huc3Clock, Tama5Clock]; // as mGBA writes them
    private static readonly int[] Behind = [0, GbaClock, Tama5Clock, OldGbClock, GbClock, Huc3Clock]; // what may be behind save data

    /// <summary>Bytes of the kinds of memory that cartridges have, up to flash with two banks.</summary>
    public static IReadOnlyList<int> Sizes { get; } = [512, 2_048, 8_192, 32_768, 65_536, 131_072];

    private static ReadOnlySpan<byte> Gsv => "ADVSAVEG"u8;

    private static ReadOnlySpan<byte> SharkPort => "\x0D\0\0\0SharkPortSave"u8;

    private static ReadOnlySpan<byte> GbLogo => [0xCE, 0xED, 0x66, 0x66, 0xCC, 0x0D, 0x00, 0x0B];

    private static ReadOnlySpan<byte> GbaLogo => [0x24, 0xFF, 0xAE, 0x51, 0x69, 0x9A, 0xA2, 0x21];

    private static ReadOnlySpan<byte> DeSmuMe => "|<--Snip above here to create a raw sav by excluding this DeSmuME savedata footer:"u8;

    /// <summary>The save data for a game in a file, with the clock of its cartridge.</summary>
    /// <param name="file">The file.</param>
    /// <param name="before">The save data that the game has; null for none.</param>
    /// <param name="platform">Its console.</param>
    /// <param name="state">A raw state of the game, which says whether a GBA cartridge has a clock.</param>
    /// <returns>The save data; or, with null, what the file is instead.</returns>
    public static (byte[]? Data, string? Problem) Read(ReadOnlySpan<byte> file, byte[]? before, string platform, ReadOnlySpan<byte> state = default)
    {
        var unpacked = file.ToArray();
        for (var depth = 0; depth < Deepest && FileContainer.KindOf(unpacked) is ContainerKind.Gzip or ContainerKind.RetroArchZip; depth++)
        {
            if (FileContainer.Open(FileContainer.KindOf(unpacked), unpacked, out unpacked) is { } problem)
            {
                return (null, problem);
            }
        }

        if (NameOf(unpacked) is { } other)
        {
            return (null, other);
        }

        if (!TryUnwrap(unpacked, out var content))
        {
            return (null, "are a file of a cheat device that is cut or damaged; export it again, or as a .sav");
        }

        int? expected = before is null ? null : SizeOf(before.Length);
        foreach (var data in (ReadOnlySpan<byte[]>)[content, content.Length > Header ? content[Header..] : []])
        {
            if (SizeOf(data.Length) is { } size && (before is null ? size != Tama5Size : size == expected || data.Length == before.Length))
            {
                return (WithClock(data, size, before, platform != "gba" ? GbClocks : HasGbaClock(state) ? [GbaClock] : []), null);
            }
        }

        var sizes = before is null ? $"one of {string.Join(", ", Sizes)}" : before.Length.ToString(CultureInfo.InvariantCulture);
        return (null, IsState(unpacked) ? StateNotSave : $"are no save data of this game, which has {sizes}{(before is null ? "" : " bytes")}");
    }

    /// <summary>
    /// Adds the clock of a GBA cartridge, which mGBA's window keeps behind the save data in a file, but not in a state. A Game Boy's is in both, and
    /// mgba-headless has all of them in both.
    /// </summary>
    /// <param name="save">The save data in a state.</param>
    /// <param name="state">The raw state.</param>
    /// <param name="platform">Its console.</param>
    /// <param name="now">When the state was taken.</param>
    public static byte[] WithClockOf(byte[] save, ReadOnlySpan<byte> state, string platform, DateTimeOffset now)
    {
        // all zero until the game has read its clock
        if (platform != "gba" || !HasGbaClock(state) || SizeOf(save.Length) != save.Length || !state.Slice(GbaClockTimeAt, 7).ContainsAnyExcept((byte)0))
        {
            return save;
        }

        var file = new byte[save.Length + GbaClock];
        save.CopyTo(file, 0);
        state.Slice(GbaClockTimeAt, 7).CopyTo(file.AsSpan(save.Length));
        file[save.Length + 7] = state[GbaClockControlAt];
        BinaryPrimitives.WriteInt64LittleEndian(file.AsSpan(save.Length + 8), now.ToUnixTimeSeconds());
        return file;
    }

    /// <summary>Save data without the bytes of a clock behind them.</summary>
    public static byte[] WithoutClock(byte[] save) => SizeOf(save.Length) is { } size ? save[..size] : save;

    private static bool HasGbaClock(ReadOnlySpan<byte> state) => state.Length > GbaDevicesAt && (state[GbaDevicesAt] & 1) != 0;

    private static int? SizeOf(int length) => Sizes.Prepend(Tama5Size).LastOrDefault(size => Behind.Contains(length - size)) is > 0 and var size ? size : null;

    /// <summary>The clock of the file; without one, that which the game has.</summary>
    private static byte[] WithClock(byte[] data, int size, byte[]? before, ReadOnlySpan<int> clocks)
    {
        if (data.Length == before?.Length)
        {
            return data; // whatever is behind it, the game has the same
        }

        var length = Whole(data.Length - size);
        var present = before is null ? 0 : Whole(before.Length - size);
        return clocks.Contains(length) && (present == 0 || length == present)
            ? [.. data, .. new byte[size + length - data.Length]]
            : [.. data.AsSpan(0, size), .. before is null ? [] : before.AsSpan(size)];
    }

    private static int Whole(int clock) => clock == OldGbClock ? GbClock : clock;

    /// <summary>Takes the save data out of a file of another form, or leaves it as it is. False when such a file is damaged.</summary>
    private static bool TryUnwrap(ReadOnlySpan<byte> file, out byte[] content)
    {
        content = file.IndexOf(DeSmuMe) is >= 0 and var end ? file[..end].ToArray() : file.ToArray();
        return file.StartsWith(Gsv) ? TryUnwrapGsv(file, ref content)
            : !file.StartsWith(SharkPort) || TryUnwrapSharkPort(file, ref content);
    }

    private static bool TryUnwrapGsv(ReadOnlySpan<byte> file, ref byte[] content)
    {
        if (file.Length < GsvDataAt)
        {
            return false;
        }

        var size = BinaryPrimitives.ReadInt32LittleEndian(file[GsvTypeAt..]) switch { 2 => 32_768, 3 => 512, 4 => 8_192, 5 => 65_536, 6 => 131_072, _ => file.Length - GsvDataAt };
        return TryTake(file[GsvDataAt..], size, ref content);
    }

    /// <summary>.sps and .xps: texts with their lengths, then the length of header and save data.</summary>
    private static bool TryUnwrapSharkPort(ReadOnlySpan<byte> file, ref byte[] content)
    {
        var at = SharkPort.Length + 4; // a constant
        for (var text = 0; text < 3; text++)
        {
            if (at + 4 > file.Length || BinaryPrimitives.ReadUInt32LittleEndian(file[at..]) is var length && length > file.Length - at - 4)
            {
                return false;
            }

            at += 4 + (int)BinaryPrimitives.ReadUInt32LittleEndian(file[at..]);
        }

        return at + 4 + SharkPortHeader <= file.Length && TryTake(file[(at + 4 + SharkPortHeader)..], BinaryPrimitives.ReadInt32LittleEndian(file[at..]) - SharkPortHeader, ref content);
    }

    private static bool TryTake(ReadOnlySpan<byte> data, int size, ref byte[] content)
    {
        if (size <= 0 || size > data.Length)
        {
            return false;
        }

        content = data[..size].ToArray();
        for (var at = 0; size <= LargestEeprom && at + 8 <= size; at += 8)
        {
            content.AsSpan(at, 8).Reverse(); // cheat devices read an EEPROM the other way round
        }

        return true;
    }

    /// <summary>What a file says that it is, of whatever size; null for what may be save data.</summary>
    private static string? NameOf(ReadOnlySpan<byte> file) =>
        file.StartsWith("PK\x3\x4"u8) ? "are a zip archive; unpack the save file in it"
        : file.StartsWith((ReadOnlySpan<byte>)[0x89, (byte)'P', (byte)'N', (byte)'G']) || FileContainer.KindOf(file) == ContainerKind.RetroArchState ? StateNotSave
        : HasAt(file, GbLogoAt, GbLogo) || HasAt(file, GbaLogoAt, GbaLogo) ? "are a ROM, not save data"
        : null;

    // save data may begin so, too
    private static bool IsState(ReadOnlySpan<byte> file) => file.Length > 4 && file[1..4] is [0, 0, 1] or [0, 0x40, 0];

    private static bool HasAt(ReadOnlySpan<byte> file, int at, ReadOnlySpan<byte> bytes) => file.Length > at && file[at..].StartsWith(bytes);
}
