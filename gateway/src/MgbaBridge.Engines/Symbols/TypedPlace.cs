using System.Globalization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>A value of a game as text: a name (<c>player.hp</c>, <c>counter+0x4 u16</c>), or a location with a type (<c>0x02000008 u32</c>).</summary>
public static class TypedPlace
{
    /// <summary>How such places are written.</summary>
    public const string ExpectedFormat =
        "Places are names of properties or symbols (player.hp, edges[3], counter+0x4), or a location with a type: \"0x02000008 u32\", \"wram:0x10 u8 4\" (4 numbers), "
        + "\"0x02000100 text 16\", \"0x08000000 bytes 32\". Types are u8, s8, u16, s16, u32, s32, with be behind them for big-endian.";

    /// <summary>Finds the property that is meant, and where it begins.</summary>
    /// <param name="names">The names of the open game.</param>
    /// <param name="text">The place.</param>
    /// <param name="property">The property.</param>
    /// <param name="location">Where it begins.</param>
    /// <returns>What is wrong, or null.</returns>
    public static string? Find(GameSymbols names, string text, out GameProperty property, out Location location)
    {
        location = default;
        property = names.Properties?.Find(text)!;
        if (property is null && Typed(names, text, out property) is { } wrong)
        {
            return wrong;
        }

        return property.At.TryFind(names.Symbols, out location) ? null : $"{text} is at the symbol {property.At.Symbol}, which this game does not have.";
    }

    private static string? Typed(GameSymbols names, string text, out GameProperty property)
    {
        property = null!;
        var words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (words.Length is 0 or > 3 || !ValueLocation.TryParse(words[0], out var place))
        {
            return Wrong(text);
        }

        Symbol symbol = default;
        if (place.Symbol is { } name && names.Symbols?.TryGet(name, out symbol) != true)
        {
            return $"This game has no property and no symbol {name}.";
        }

        var type = words.Length > 1 ? words[1] : place.Symbol is null ? "" : symbol.Size switch { 1 => "u8", 2 => "u16", _ => "u32" };
        var wrong = TypeOf(text, type, words.Length > 2 ? words[2] : null, out var form);
        property = new GameProperty(text, place, [], form);
        return wrong;
    }

    private static string? TypeOf(string text, string type, string? amount, out IValueType form)
    {
        form = null!;
        var count = 1;
        if (amount is not null && (!int.TryParse(amount, NumberStyles.None, CultureInfo.InvariantCulture, out count) || count is < 1 or > NameLimits.Value))
        {
            return Wrong(text);
        }

        if (type is "text" or "bytes")
        {
            var most = type == "text" ? NameLimits.Text : NameLimits.Value;
            form = type == "text" ? new TextType(count, TextTable.Ascii) : new BytesType(count);
            return amount is null || count > most ? $"{text} needs how many bytes it has, 1 to {most}, such as \"{type} 16\" behind the place." : null;
        }

        if (!NumberTypes.TryParse(type, out var number, out var endian) || count > NameLimits.Parts)
        {
            return Wrong(text);
        }

        var one = new ScalarType(number, endian);
        form = amount is null ? one : new ArrayType(one, count);
        return null;
    }

    private static string Wrong(string text) => $"\"{(text.Length <= 80 ? text : text[..80])}\" is not a place with a type.";
}
