using System.Globalization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Finds the names of places in memory.</summary>
/// <param name="names">The names of the game.</param>
/// <param name="domains">The parts of its memory.</param>
public sealed class PlaceNames(GameSymbols names, IReadOnlyList<MemoryDomain> domains)
{
    private readonly List<(string Name, Location At, long Size)> _properties =
    [
        .. from property in names.Properties?.Properties ?? []
           where property.Chain.Count == 0
           let at = property.At.TryFind(names.Symbols, out var location) ? location : (Location?)null
           where at is not null
           select (property.Name, at.Value, (long)property.Type.Size),
    ];

    /// <summary>The property or symbol at a place, <c>player.hp</c>, or <c>counter+0x4</c> inside of one; null when none is known. Of several the nearest.</summary>
    public string? NameOf(Location location)
    {
        (string Name, long Distance)? nearest = null;
        foreach (var place in LocationsOf(location))
        {
            foreach (var (name, at, size) in _properties)
            {
                if (at.Domain == place.Domain && place.Offset >= at.Offset && place.Offset < at.Offset + size)
                {
                    Take(name, place.Offset - at.Offset);
                }
            }

            if (names.Symbols is { } symbols && symbols.TryFindAt(place, out var symbol))
            {
                Take(symbol.Name, place.Offset - symbol.Location.Offset);
            }
        }

        return nearest switch
        {
            null => null,
            (var name, 0) => name,
            var (name, distance) => string.Create(CultureInfo.InvariantCulture, $"{name}+0x{distance:X}"),
        };

        void Take(string name, long distance)
        {
            if (nearest is null || distance < nearest.Value.Distance)
            {
                nearest = (name, distance);
            }
        }
    }

    // the same place on the bus and in domains; of banks, a domain has only the first at its addresses
    private IEnumerable<Location> LocationsOf(Location location)
    {
        yield return location;
        if (location.Domain is null)
        {
            foreach (var domain in domains.Where(domain => location.Offset >= domain.Base && location.Offset < domain.Bound))
            {
                yield return new Location(domain.Id, location.Offset - domain.Base);
            }
        }
        else if (domains.FirstOrDefault(domain => domain.Id == location.Domain) is { } domain && domain.Base + location.Offset < domain.Bound)
        {
            yield return Location.Bus(domain.Base + location.Offset);
        }
    }
}
