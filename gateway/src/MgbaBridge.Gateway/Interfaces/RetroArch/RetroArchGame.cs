using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Memory;

namespace MgbaBridge.Gateway.Interfaces.RetroArch;

/// <summary>A game's memory by the addresses of RetroArch's memory map for mGBA.</summary>
internal sealed class RetroArchGame(GameMemory memory)
{
    private const int GbaSaveSize = 0x20000;

    /// <summary>The game's memory in mGBA.</summary>
    public GameMemory Memory => memory;

    /// <summary>What is at an address until its region ends; null when nothing is.</summary>
    public RetroArchRegion? Find(uint address) => memory.IsGba ? FindGba(address) : FindGb(address);

    private RetroArchRegion? FindGba(uint address) => (address >> 24) switch
    {
        0x00 => Region("bios", address, 0x4000, isReadOnly: true),
        0x02 => Region("wram", address & 0x3FFFF, 0x40000),
        0x03 => Region("iwram", address & 0x7FFF, 0x8000),
        0x04 => Region("io", address & 0xFFFFFF, 0x400, isReadOnly: true), // writes to the stored registers have no effect in mGBA
        0x05 => Region("palette", address & 0x3FF, 0x400),
        0x06 => Region("vram", address & 0x1FFFF, 0x18000),
        0x07 => Region("oam", address & 0x3FF, 0x400),
        >= 0x08 and <= 0x0D => Region(GameMemory.Rom, address & 0x1FFFFFF, memory.RomSize, isReadOnly: true),
        0x0E => Region("sram", address & 0xFFFFFF, Math.Min(memory.Sizes.GetValueOrDefault("sram"), GbaSaveSize)),
        _ => null,
    };

    private RetroArchRegion? FindGb(uint address) => address switch
    {
        < 0x4000 => Region(GameMemory.Rom, address, Math.Min(memory.RomSize, 0x4000), isReadOnly: true),
        < 0x8000 => Region(GameMemory.Rom, address, Math.Min(memory.RomSize, 0x8000), isReadOnly: true),
        < 0xA000 => Region("vram", address - 0x8000, 0x2000),
        < 0xC000 => Region("sram", address - 0xA000, Math.Min(memory.Sizes.GetValueOrDefault("sram"), 0x2000)),
        // in windows the domain wram may have the first bank twice
        < 0xD000 => new RetroArchRegion(Location.Bus(address), 0xD000 - address, false),
        < 0xE000 => new RetroArchRegion(Location.Bus(address), 0xE000 - address, false),
        >= 0xFE00 and < 0xFEA0 => Region("oam", address - 0xFE00, 0xA0),
        >= 0xFF00 and < 0xFF80 => new RetroArchRegion(Location.Bus(address), 0xFF80 - address, false),
        >= 0xFF80 and < 0xFFFF => Region("hram", address - 0xFF80, 0x7F),
        0xFFFF => new RetroArchRegion(Location.Bus(address), 1, false),
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
