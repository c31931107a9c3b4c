using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Game;
using MgbaBridge.Gateway.Operations.Memory;

namespace MgbaBridge.Gateway.Interfaces.BizHawk;

/// <summary>A game as BizHawk's clients know it: its system, and its memory by BizHawk's names.</summary>
internal sealed class BizHawkGame
{
    private const int GbaSaveSize = 0x20000;
    private const int GbcWorkRam = 0x8000;

    private readonly GameMemory? _memory;
    private readonly Dictionary<string, MemoryPart[]> _domains;
    private string? _hash;

    private BizHawkGame(GameMemory? memory)
    {
        _memory = memory;
        (System, _domains) = memory switch
        {
            null => ("NULL", []),
            { IsGba: true } => ("GBA", GbaDomains(memory)),
            { IsColor: true } => ("GBC", GbDomains(memory)),
            _ => ("GB", GbDomains(memory)),
        };
    }

    /// <summary>The game's epoch: another one is another game.</summary>
    public Epoch Epoch => _memory?.Epoch ?? default;

    /// <summary><c>GBA</c>, <c>GBC</c> or <c>GB</c>; <c>NULL</c> without a game.</summary>
    public string System { get; }

    /// <summary>What the emulator has now.</summary>
    /// <exception cref="RequestFailedException">The emulator does not answer.</exception>
    public static async Task<BizHawkGame> ReadAsync(Invocation invocation, BizHawkGame? known)
    {
        var memory = await GameMemory.ReadAsync(invocation, known?._memory);
        return memory is not null && memory == known?._memory ? known : new BizHawkGame(memory);
    }

    /// <summary>How many bytes a domain has; 0 for one that the game does not have.</summary>
    public long SizeOf(string domain) => _domains.TryGetValue(domain, out var parts) ? parts.Sum(part => (long)part.Length) : 0;

    /// <summary>Where a range of a domain is. What reaches beyond it is a gap, as is a domain that the game does not have.</summary>
    public IReadOnlyList<MemoryPart> Find(string domain, long offset, int length)
    {
        var found = new List<MemoryPart>();
        foreach (var part in _domains.GetValueOrDefault(domain, []))
        {
            if (length > 0 && offset >= 0 && offset < part.Length)
            {
                var taken = (int)Math.Min(length, part.Length - offset);
                found.Add(new MemoryPart(part.Location is { } first ? first with { Offset = first.Offset + offset } : null, taken));
                (offset, length) = (offset + taken, length - taken);
            }

            offset -= part.Length;
        }

        if (length > 0)
        {
            found.Add(new MemoryPart(null, length));
        }

        return found;
    }

    /// <summary>The SHA-1 of the ROM in upper-case hexadecimal digits; empty without a game.</summary>
    /// <exception cref="RequestFailedException">The emulator does not answer.</exception>
    public async Task<string> HashAsync(Invocation invocation)
    {
        if (_hash is null && _memory is { RomSize: > 0 })
        {
            using var hash = await GameOperations.Sha1.InvokeAsync(invocation with { Options = invocation.Options with { Epoch = Epoch } }, default);
            _hash = hash.EnsureSuccess().Sha1.ToUpperInvariant();
        }

        return _hash ?? "";
    }

    private static Dictionary<string, MemoryPart[]> GbaDomains(GameMemory memory) => new()
    {
        ["IWRAM"] = [Domain("iwram", 0x8000)],
        ["EWRAM"] = [Domain("wram", 0x40000)],
        ["BIOS"] = [Domain("bios", 0x4000)],
        ["PALRAM"] = [Domain("palette", 0x400)],
        ["VRAM"] = [Domain("vram", 0x18000)],
        ["OAM"] = [Domain("oam", 0x400)],
        ["ROM"] = [Domain(GameMemory.Rom, memory.RomSize)],
        ["SRAM"] = Save(memory),
        ["Combined WRAM"] = [Domain("wram", 0x40000), Domain("iwram", 0x8000)],
        ["System Bus"] = [new MemoryPart(Location.Bus(0), 0x10000000)],
    };

    // without save memory, or before mGBA knows its type, BizHawk has the domain as well
    private static MemoryPart[] Save(GameMemory memory)
    {
        var size = Math.Min(memory.Sizes.GetValueOrDefault("sram"), GbaSaveSize);
        return [.. size > 0 ? [Domain("sram", size)] : Array.Empty<MemoryPart>(), new MemoryPart(null, (int)(GbaSaveSize - size))];
    }

    private static Dictionary<string, MemoryPart[]> GbDomains(GameMemory memory)
    {
        var domains = new Dictionary<string, MemoryPart[]>
        {
            ["WRAM"] = WorkRam(memory),
            ["ROM"] = [Domain(GameMemory.Rom, memory.RomSize)],
            ["VRAM"] = [Domain("vram", 0x2000), .. memory.IsColor ? [new MemoryPart(new Location("vram", 0x4000), 0x2000)] : Array.Empty<MemoryPart>()],
            ["OAM"] = [Domain("oam", 0xA0)],
            ["HRAM"] = [Domain("hram", 0x7F)],
            ["System Bus"] = [new MemoryPart(Location.Bus(0), 0x10000)],
        };
        if (memory.Sizes.TryGetValue("sram", out var save) && save > 0)
        {
            domains["CartRAM"] = [Domain("sram", save)];
        }

        return domains;
    }

    // in windows the domain wram may have the first bank twice, and none of the banks from 2 on
    private static MemoryPart[] WorkRam(GameMemory memory) => memory.IsColor && memory.Sizes.GetValueOrDefault("wram") == GbcWorkRam
        ? [Domain("wram", GbcWorkRam)]
        : [new MemoryPart(Location.Bus(0xC000), 0x2000), .. memory.IsColor ? [new MemoryPart(null, GbcWorkRam - 0x2000)] : Array.Empty<MemoryPart>()];

    private static MemoryPart Domain(string id, long size) => new(new Location(id, 0), (int)size);
}
