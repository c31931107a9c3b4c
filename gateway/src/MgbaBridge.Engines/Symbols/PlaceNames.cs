using System.Globalization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Finds the names of places in memory.</summary>
/// <param name="names">The names of the game.</param>
/// <param name="domains">The parts of its memory.</param>
public sealed class PlaceNames(GameSymbols names, IReadOnlyList<MemoryDomain> domains)
{
    // symbols of text files have no size
    private const long UnknownSize = 256;

    private readonly List<(string Name, long Address, long Size)> _all =
    [
        .. from property in names.Properties?.Properties ?? []
           where property.Chain.Count == 0 && property.At.TryFind(names.Symbols, out _)
           select (property.Name, AddressOf(domains, LocationOf(names, property)), (long)property.Type.Size),
        .. from symbol in names.Symbols?.All ?? []
           select (symbol.Name, AddressOf(domains, symbol.Location), symbol.Size > 0 ? symbol.Size : UnknownSize),
    ];

    /// <summary>The property or symbol at a place, <c>player.hp</c>, or <c>counter+0x4</c> inside of one; null when none is known. Of several the nearest.</summary>
    public string? NameOf(Location location)
    {
        var address = AddressOf(domains, location);
        var found = _all.Where(one => address >= one.Address && address < one.Address + one.Size).DefaultIfEmpty().MaxBy(static one => one.Address);
        return found.Name is null || address == found.Address ? found.Name : string.Create(CultureInfo.InvariantCulture, $"{found.Name}+0x{address - found.Address:X}");
    }

    private static Location LocationOf(GameSymbols names, GameProperty property) => property.At.TryFind(names.Symbols, out var location) ? location : default;

    private static long AddressOf(IReadOnlyList<MemoryDomain> domains, Location location) =>
        location.Offset + (location.Domain is null ? 0 : domains.FirstOrDefault(domain => domain.Id == location.Domain)?.Base ?? 0);
}
