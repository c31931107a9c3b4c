using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Operations.Symbols;

/// <summary>Finds a value that a caller names by an address, an offset in a domain, a property or a symbol.</summary>
internal static class TypedLocations
{
    /// <summary>Finds it. An address or an offset needs a type; a name has one unless the request states another. Pointers are followed once.</summary>
    public static async ValueTask<(TypedLocation? Found, Failure? Failure)> FindAsync(Invocation invocation, string name, ValueShape shape)
    {
        var isLocation = Location.TryParse(name, out var location);
        if (isLocation && !ValueTypes.NeedsMap(shape))
        {
            return Typed(location, shape, null, null);
        }

        var found = await GameContext.WithAsync<TypedLocation>(invocation, async game =>
        {
            var (place, failure) = isLocation ? Typed(location, shape, game.Names.Properties, game.Epoch) : await ByNameAsync(invocation, game, name, shape);
            return place is null ? failure! : place;
        });
        return (found.Value, found.Failure);
    }

    private static (TypedLocation? Found, Failure? Failure) Typed(Location location, ValueShape shape, PropertyMap? map, Epoch? epoch) =>
        shape.Resolve(map?.TextTables, null, out var wrong) is { } type ? (new TypedLocation(location, type, epoch), null) : (null, Failure.BadRequest(wrong.Reason));

    /// <summary>Finds a property or a symbol.</summary>
    public static async ValueTask<(TypedLocation? Found, Failure? Failure)> ByNameAsync(Invocation invocation, GameContext game, string name, ValueShape shape)
    {
        if (ValueOperations.Find(game, name, shape, out var property, out var location) is { } unknown)
        {
            return (null, unknown);
        }

        if (property.Chain.Count == 0)
        {
            return (new TypedLocation(location, property.Type, game.Epoch), null);
        }

        var (found, failure) = await ValueOperations.FindAsync(invocation, game, [(property, location)]);
        return found is null ? (null, failure)
            : found.Values[0].Location is { } at ? (new TypedLocation(at, property.Type, game.Epoch), null)
            : (null, ValueOperations.NullPointer(property));
    }
}

/// <summary>Where a value is and what it is.</summary>
/// <param name="Location">Its location.</param>
/// <param name="Type">Its type.</param>
/// <param name="Epoch">The epoch in which the name meant this; null when it was no name.</param>
internal sealed record TypedLocation(Location Location, IValueType Type, Epoch? Epoch);
