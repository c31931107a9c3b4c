using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>A value of a game as text: a name (<c>player.hp</c>, <c>counter+0x4 u16</c>), or a location with a type (<c>0x02000008 u32</c>).</summary>
public static class TypedPlace
{
    /// <summary>How such places are written.</summary>
    public static string ExpectedFormat { get; } =
        "Places are names of properties or symbols (player.hp, edges[3], counter+0x4), or a location with a type: \"0x02000008 u32\", \"wram:0x10 u8 4\" (4 numbers), "
        + "\"0x02000100 text 16\", \"0x08000000 bytes 32\". " + $"Types are {string.Join(", ", NumberTypes.Names)}, with be behind them for big-endian.";

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

        return property.At.TryFind(names.Symbols, out location) ? null : names.WhyNoPlace(property.At.Symbol!) ?? $"{text} is at the symbol {property.At.Symbol}, which this game does not have.";
    }

    /// <summary>The same for what is only read: a name may be a constant.</summary>
    public static string? FindToRead(GameSymbols names, string text, out GameProperty property, out Location location)
    {
        (property, location) = (names.ConstantOf(text)!, default);
        return property is null ? Find(names, text, out property, out location) : null;
    }

    private static string? Typed(GameSymbols names, string text, out GameProperty property)
    {
        property = null!;
        var words = WordsOf(text);
        if (words.Length > 1 && IsType(words[0]) && !IsType(words[1]))
        {
            (words[0], words[1]) = (words[1], words[0]); // "u32 0x02000000"
        }

        if (words.Length is 0 or > 3 || !ValueLocation.TryParse(words[0], out var place))
        {
            return Wrong(text);
        }

        Symbol symbol = default;
        if (place.Symbol is { } name && names.Symbols?.TryGet(name, out symbol) != true)
        {
            return names.WhyNoPlace(name) ?? $"This game has no property and no symbol {name}.";
        }

        var type = words.Length > 1 ? words[1] : place.Symbol is null ? "" : symbol.Type.Name();
        var wrong = TypeOf(text, type, words.Length > 2 ? words[2] : null, out var form);
        property = new GameProperty(text, place, [], form);
        return wrong;
    }

    private static string? TypeOf(string text, string type, string? amount, out IValueType form)
    {
        form = null!;
        var parsed = 0L;
        var isNumber = NumberTypes.TryParse(type, out var number, out var endian);
        if ((!isNumber && type is not ("text" or "bytes")) || (amount is not null && (!Integers.TryParseDecimal(amount, out parsed) || parsed is < 0 or > int.MaxValue)))
        {
            return Wrong(text);
        }

        int? many = amount is null ? null : (int)parsed;
        var shape = isNumber ? new ValueShape { Type = number.Name(), Endian = endian, Count = many } : new ValueShape { Type = type, Length = many };
        form = shape.Resolve(null, null, out var wrong)!;
        return form is null ? $"\"{text}\": {wrong.Reason}" : null;
    }

    // a name of C++ may have spaces inside of its parentheses; "0x02000000/u32" and "0x02000000:u32" are "0x02000000 u32"
    private static string[] WordsOf(string text)
    {
        var begin = text.LastIndexOfAny([')', '>']) + 1;
        for (var at = text.IndexOfAny(['/', ':'], begin); at > 0; at = text.IndexOfAny(['/', ':'], at + 1))
        {
            var type = text.AsSpan(at + 1);
            if (type.IndexOfAny('/', ' ') is var end && IsType(end < 0 ? type : type[..end]))
            {
                text = $"{text[..at]} {text[(at + 1)..].Replace('/', ' ')}";
                break;
            }
        }

        var space = text.IndexOf(' ', begin);
        return space < 0 ? [text] : [.. new[] { text[..space] }.Where(static name => name.Length > 0), .. text[space..].Split(' ', StringSplitOptions.RemoveEmptyEntries)];
    }

    private static bool IsType(ReadOnlySpan<char> word) => NumberTypes.TryParse(word, out _, out _) || word is "text" or "bytes";

    private static string Wrong(string text) => Location.TryParse(text, out _)
        ? $"\"{text}\" is not a place with a type; write for example \"{text} u8\"."
        : $"\"{(text.Length <= 80 ? text : text[..80])}\" is not a place with a type.";
}
