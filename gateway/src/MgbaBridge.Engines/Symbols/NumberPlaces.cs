using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The numbers that conditions compare and scenarios judge by, found in a game.</summary>
public static class NumberPlaces
{
    /// <summary>Finds the places and constants of a condition, in their order. Returns what is wrong, or null.</summary>
    public static string? Find(GameSymbols names, Condition condition, out IReadOnlyList<(GameProperty Property, Location At)> found)
    {
        var places = new List<(GameProperty, Location)>();
        found = places;
        foreach (var place in condition.Places)
        {
            if (TypedPlace.FindToRead(names, place, out var property, out var location) is { } wrong)
            {
                return wrong;
            }

            if (property.Type is not (ScalarType or ConstantType))
            {
                return $"{place} is no number but {property.Type.Kind}. A condition compares numbers.";
            }

            places.Add((property, location));
        }

        return null;
    }

    /// <summary>Finds a number that is at the same place in each frame: a name, or a location with a type on either side. Returns what is wrong, or null.</summary>
    public static string? FindFixed(GameSymbols names, string place, out ScalarType type, out Location at)
    {
        (type, at) = (null!, default);
        if (place.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [var first, var second] && NumberTypes.TryParse(first, out _, out _))
        {
            place = $"{second} {first}";
        }

        if (TypedPlace.Find(names, place, out var property, out at) is { } wrong)
        {
            return $"{wrong} {TypedPlace.ExpectedFormat}";
        }

        type = (property.Type as ScalarType)!;
        return type is null ? $"{place} is no number but {property.Type.Kind}."
            : property.Chain.Count > 0 ? $"{place} is behind a pointer, and may be elsewhere in each frame."
            : null;
    }

    /// <summary>The number at such a place, or the constant; 0 behind a pointer that is 0.</summary>
    public static long NumberOf(NamedValue value) => value switch
    {
        { Property.Type: ConstantType constant } => constant.Value,
        { Location: not null, Property.Type: ScalarType number } => number.Type.Read(value.Bytes.Span, number.Endian),
        _ => 0,
    };
}
