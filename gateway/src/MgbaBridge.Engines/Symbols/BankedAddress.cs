using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>An address as the processor has it.</summary>
/// <param name="Address">The address.</param>
/// <param name="Bank">Of a Game Boy: in which bank, or null for what is mapped there, or where there are none.</param>
public readonly record struct BankedAddress(long Address, long? Bank)
{
    // by domain of a Game Boy: the bytes before its banks, from one bank to the next, and those of a bank; between the banks of vram mGBA has other memory
    private static readonly Dictionary<string, (long First, long Stride, long Size)> Banks = new()
    {
        ["cart0"] = (0x4000, 0x4000, 0x4000),
        ["vram"] = (0, 0x4000, 0x2000),
        ["sram"] = (0, 0x2000, 0x2000),
        ["wram"] = (0x1000, 0x1000, 0x1000),
    };

    /// <summary>The place as symbols have it.</summary>
    public Location Location => Bank is { } bank ? SymText.InBank((uint)bank, (uint)Address) : Location.Bus(Address);

    /// <summary>The address of a place; null when it is in no domain, or beyond one.</summary>
    /// <param name="location">The place.</param>
    /// <param name="domains">The parts of the game's memory.</param>
    /// <param name="isGameBoy">Whether they have banks.</param>
    public static BankedAddress? Of(Location location, IReadOnlyList<MemoryDomain> domains, bool isGameBoy)
    {
        if (location.Domain is null)
        {
            return new BankedAddress(location.Offset, null);
        }

        if (domains.FirstOrDefault(domain => domain.Id == location.Domain) is not { } domain || location.Offset >= domain.Size)
        {
            return null;
        }

        if (!isGameBoy || !Banks.TryGetValue(domain.Id, out var banks) || location.Offset < banks.First)
        {
            return new BankedAddress(domain.Base + location.Offset, null);
        }

        var within = (location.Offset - banks.First) % banks.Stride;
        return within < banks.Size ? new BankedAddress(domain.Base + banks.First + within, location.Offset / banks.Stride) : null;
    }
}
