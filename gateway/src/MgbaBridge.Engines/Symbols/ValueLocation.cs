using System.Globalization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Where something is: a location, or a symbol with an offset, known when the symbols are.</summary>
/// <param name="Symbol">The symbol, or null.</param>
/// <param name="Location">The location; of a symbol only its offset counts.</param>
public readonly record struct ValueLocation(string? Symbol, Location Location)
{
    /// <summary>What it may look like.</summary>
    public const string ExpectedFormat = "A place is an address such as 0x02000008, an offset in a domain such as wram:0x8, or a symbol, perhaps with an offset: player+0x10.";

    /// <summary>Reads one.</summary>
    public static bool TryParse(string? text, out ValueLocation place)
    {
        place = default;
        if (string.IsNullOrEmpty(text))
        {
            return false;
        }

        if (Location.TryParse(text, out var location))
        {
            place = new ValueLocation(null, location);
            return true;
        }

        // a name of C++ has colons in pairs, and its operators may have a plus
        var plus = text.LastIndexOf('+');
        var offset = Location.Bus(0);
        var hasOffset = plus >= 0 && Location.TryParse(text.AsSpan(plus + 1), out offset);
        if (char.IsAsciiDigit(text[0]) || text.Replace("::", "", StringComparison.Ordinal).Contains(':', StringComparison.Ordinal)
            || (plus >= 0 && !hasOffset && !text.Contains('(', StringComparison.Ordinal)))
        {
            return false;
        }

        place = hasOffset ? new ValueLocation(text[..plus], offset) : new ValueLocation(text, Location.Bus(0));
        return place.Symbol is { Length: > 0 };
    }

    /// <summary>Where it is.</summary>
    public bool TryFind(SymbolTable? symbols, out Location location)
    {
        location = Location;
        if (Symbol is null)
        {
            return true;
        }

        if (symbols is null || !symbols.TryGet(Symbol, out var symbol))
        {
            return false;
        }

        location = symbol.Location with { Offset = symbol.Location.Offset + Location.Offset };
        return true;
    }

    public override string ToString() =>
        Symbol is null ? Location.ToString() : Location.Offset == 0 ? Symbol : string.Create(CultureInfo.InvariantCulture, $"{Symbol}+0x{Location.Offset:X}");
}
