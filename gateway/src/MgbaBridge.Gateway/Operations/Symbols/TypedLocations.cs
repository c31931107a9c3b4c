using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Operations.Symbols;

/// <summary>Finds a value that a caller names by an address, an offset in a domain, a property or a symbol.</summary>
internal static class TypedLocations
{
    /// <summary>Finds it. An address or an offset needs a type; a name has one unless the request states another. Pointers are followed once.</summary>
    public static async ValueTask<(TypedLocation? Found, Refusal? Refusal)> FindAsync(OperationContext context, string name, TypedRequest type)
    {
        var isLocation = Location.TryParse(name, out var location);
        if (isLocation && !ValueTypes.NeedsMap(type))
        {
            return Typed(location, type, null, null);
        }

        var found = await GameContext.WithAsync<TypedLocation>(context, async game =>
        {
            var (place, refusal) = isLocation ? Typed(location, type, game.Names.Properties, game.Epoch) : await ByNameAsync(context, game, name, type);
            return place is null ? refusal! : place;
        });
        return (found.Value, found.Refusal);
    }

    private static (TypedLocation? Found, Refusal? Refusal) Typed(Location location, TypedRequest type, PropertyMap? map, Epoch? epoch) =>
        ValueTypes.Read(type, type.Type, map, out var wrong) is { } read ? (new TypedLocation(location, read, epoch), null) : (null, Refusal.BadRequest(wrong));

    private static async ValueTask<(TypedLocation? Found, Refusal? Refusal)> ByNameAsync(OperationContext context, GameContext game, string name, TypedRequest type)
    {
        var request = new ValueRequest(name) { Type = type.Type, Count = type.Count, Endian = type.Endian, Length = type.Length, Table = type.Table };
        if (ValueOperations.Find(game, request, out var property, out var location) is { } unknown)
        {
            return (null, unknown);
        }

        if (property.Chain.Count == 0)
        {
            return (new TypedLocation(location, property.Type, game.Epoch), null);
        }

        var (found, refusal) = await ValueOperations.FindAsync(context, game, [(property, location)]);
        return found is null ? (null, refusal)
            : found.Values[0].Location is { } at ? (new TypedLocation(at, property.Type, game.Epoch), null)
            : (null, ValueOperations.NullPointer(property));
    }
}

/// <summary>Where a value is and what it is.</summary>
/// <param name="Location">Its location.</param>
/// <param name="Type">Its type.</param>
/// <param name="Epoch">The epoch in which the name meant this; null when it was no name.</param>
internal sealed record TypedLocation(Location Location, IValueType Type, Epoch? Epoch);
