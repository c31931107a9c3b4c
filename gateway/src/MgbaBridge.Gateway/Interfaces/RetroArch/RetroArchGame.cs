using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Operations.Memory;

namespace MgbaBridge.Gateway.Interfaces.RetroArch;

/// <summary>A game's memory by the addresses of RetroArch's memory map for mGBA.</summary>
internal sealed class RetroArchGame
{
    private const string Rom = "cart0";
    private const int ColorFlag = 0x143;
    private const int GbaSaveSize = 0x20000;

    private readonly Dictionary<string, long> _sizes;
    private readonly long _romSize;
    private readonly bool _isGba;
    private readonly bool _isColor;

    private RetroArchGame(Epoch epoch, bool isGba, bool isColor, long romSize, Dictionary<string, long> sizes) =>
        (Epoch, _isGba, _isColor, _romSize, _sizes) = (epoch, isGba, isColor, romSize, sizes);

    /// <summary>The game's epoch: another one is another game.</summary>
    public Epoch Epoch { get; }

    /// <summary>The game that runs now; null when there is none.</summary>
    /// <exception cref="RequestFailedException">The emulator does not answer.</exception>
    public static async Task<RetroArchGame?> ReadAsync(EmulatorClient emulator, RequestOptions options)
    {
        var found = await emulator.SendAsync(new ReadGame(), options);
        if (found.Failure is { Code: RefusalCode.NoGame })
        {
            found.Dispose();
            return null;
        }

        using var reply = found.EnsureSuccess();
        var game = ReadGame.Parse(reply);
        using var list = (await emulator.SendAsync(new ListDomains(), options)).EnsureSuccess();
        var sizes = ListDomains.Parse(list).ToDictionary(domain => domain.Id, domain => domain.Size);
        if (game.Platform == "gba")
        {
            return new RetroArchGame(reply.Epoch, true, false, game.RomSize, sizes);
        }

        using var flag = (await emulator.SendAsync(new ReadMemory(new Location(Rom, ColorFlag), 1), options)).EnsureSuccess();
        return new RetroArchGame(reply.Epoch, false, (flag.Tail.Span[0] & 0x80) != 0, game.RomSize, sizes);
    }

    /// <summary>What is at an address until its region ends; null when nothing is.</summary>
    public RetroArchRegion? Find(uint address) => _isGba ? FindGba(address) : FindGb(address);

    private RetroArchRegion? FindGba(uint address) => (address >> 24) switch
    {
        0x00 => Region("bios", address, 0x4000, isReadOnly: true),
        0x02 => Region("wram", address & 0x3FFFF, 0x40000),
        0x03 => Region("iwram", address & 0x7FFF, 0x8000),
        0x04 => Region("io", address & 0xFFFFFF, 0x400, isReadOnly: true), // writes to the stored registers have no effect in mGBA
        0x05 => Region("palette", address & 0xFFFFFF, 0x400),
        0x06 => Region("vram", address & 0xFFFFFF, 0x18000),
        0x07 => Region("oam", address & 0xFFFFFF, 0x400),
        >= 0x08 and <= 0x0D => Region(Rom, address & 0x1FFFFFF, _romSize, isReadOnly: true),
        0x0E => Region("sram", address & 0xFFFFFF, Math.Min(_sizes.GetValueOrDefault("sram"), GbaSaveSize)),
        _ => null,
    };

    private RetroArchRegion? FindGb(uint address) => address switch
    {
        < 0x4000 => Region(Rom, address, Math.Min(_romSize, 0x4000), isReadOnly: true),
        < 0x8000 => Region(Rom, address, Math.Min(_romSize, 0x8000), isReadOnly: true),
        < 0xA000 => Region("vram", address - 0x8000, 0x2000),
        < 0xC000 => Region("sram", address - 0xA000, Math.Min(_sizes.GetValueOrDefault("sram"), 0x2000)),
        < 0xD000 => Region("wram", address - 0xC000, 0x1000),
        < 0xE000 => Region("wram", address - 0xC000, 0x2000),
        >= 0xFE00 and < 0xFEA0 => Region("oam", address - 0xFE00, 0xA0),
        >= 0xFF00 and < 0xFF80 => new RetroArchRegion(Location.Bus(address), 0xFF80 - address, false),
        >= 0xFF80 and < 0xFFFF => Region("hram", address - 0xFF80, 0x7F),
        0xFFFF => new RetroArchRegion(Location.Bus(address), 1, false),
        >= 0x10000 and < 0x16000 when _isColor => Region("wram", address - 0x10000 + 0x2000, 0x8000),
        _ => null,
    };

    private static RetroArchRegion? Region(string domain, long offset, long end, bool isReadOnly = false) =>
        offset < end ? new RetroArchRegion(new Location(domain, offset), end - offset, isReadOnly) : null;
}

/// <summary>What is at an address.</summary>
/// <param name="Location">Where mGBA has it.</param>
/// <param name="Length">How many bytes the region has from there on.</param>
/// <param name="IsReadOnly">Whether it cannot be written.</param>
internal readonly record struct RetroArchRegion(Location Location, long Length, bool IsReadOnly)
{
    /// <summary>Its first bytes.</summary>
    public MemoryPart Take(int count) => new(Location, (int)Math.Min(count, Length));
}
