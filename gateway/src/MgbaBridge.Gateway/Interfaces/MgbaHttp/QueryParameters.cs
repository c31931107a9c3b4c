using System.Buffers;
using System.Globalization;
using System.Numerics;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>All parameters of the compatible paths, as mGBA-http names and reads them.</summary>
internal static class QueryParameters
{
    private const int MaxDomain = 32;
    private const char BetweenItems = '&';

    private static readonly SearchValues<char> DomainLetters =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

    /// <summary>An address on the bus. It is cut to 32 bits, as in mGBA-http's script.</summary>
    public static Parameter<long> Address { get; } = Of(
        "string", "address", "An address on the game's bus, such as 0x02000000 or 33554432.", "0x02000000", (string text, out long address) =>
        {
            var error = ReadNumber("address", text, out address);
            address &= uint.MaxValue;
            return error;
        });

    /// <summary>An offset in a memory domain.</summary>
    public static Parameter<long> Offset { get; } = Number("address", "An offset from the domain's base, such as 0x10 or 16.", "0x10");

    /// <summary>How many bytes.</summary>
    public static Parameter<long> Length { get; } = Of("string", "length", $"How many bytes, 0..{Limits.Length}.", "16", (string text, out long length) =>
        ReadNumber("length", text, out length) ?? (length is >= 0 and <= Limits.Length ? null : QueryError.Bad($"length is {text}; expected 0 to {Limits.Length} bytes.")));

    /// <summary>A memory domain's id.</summary>
    public static Parameter<string> Domain { get; } = Of("string", "memoryDomain", "A memory domain that /coreadapter/memory lists, such as wram.", "wram", (string text, out string domain) =>
    {
        domain = text;
        return text.Length > MaxDomain || text.AsSpan().ContainsAnyExcept(DomainLetters)
            ? QueryError.InScript($"memoryDomain is \"{text}\", which is not a memory domain; /coreadapter/memory lists the domains.")
            : Empty("memoryDomain", text);
    });

    /// <summary>A register's name.</summary>
    public static Parameter<string> Register { get; } = Text(
        "regName", "A register: r0..r15, sp, lr, pc or cpsr; a Game Boy has a, b, c, d, e, f, h, l, bc, de, hl, af, pc and sp.", "r0");

    /// <summary>A file on the emulator's side.</summary>
    public static Parameter<string> Path { get; } = Text("path", "A file where the emulator runs, below a folder of MGBA_BRIDGE_FOLDERS.", "/games/other.gba");

    /// <summary>A line for mGBA's console.</summary>
    public static Parameter<string> Message { get; } = Text("message", "What to write.", "hello");

    /// <summary>A save state's slot.</summary>
    public static Parameter<int> Slot { get; } = Of("string", "slot", "A slot, 0..9.", "1", static (string text, out int slot) =>
    {
        var error = ReadNumber("slot", text, out var number);
        slot = (int)Math.Clamp(number, int.MinValue, int.MaxValue);
        return error;
    });

    /// <summary>The parts of a save state.</summary>
    public static Parameter<StateFlags> Flags { get; } = Bound("Nullable<int>", "flags", "What the state has in it: 1 screenshot, 2 save data, 4 cheats, 8 clock, 16 metadata, added up.", "29", static (string text, out StateFlags flags) =>
    {
        var isInteger = IsInteger(text, out int number);
        flags = (StateFlags)number & StateFlags.All;
        return isInteger;
    });

    /// <summary>A key by its number.</summary>
    public static Parameter<int> Key { get; } = Bound(
        "int", "key", "A key by its number: 0 A, 1 B, 2 Select, 3 Start, 4 Right, 5 Left, 6 Up, 7 Down, 8 R, 9 L. Or by its name, as before 0.8.", "3", static (string text, out int key) =>
        {
            var keys = default(KeySet);
            var isName = KeySet.TryAdd(ref keys, text);
            key = BitOperations.TrailingZeroCount(keys.Mask);
            return isName || IsInteger(text, out key);
        });

    /// <summary>Keys as bits.</summary>
    public static Parameter<int> KeyBitmask { get; } = Integer("keyBitmask", "Keys added up: 1 A, 2 B, 4 Select, 8 Start, 16 Right, 32 Left, 64 Up, 128 Down, 256 R, 512 L.", "12");

    /// <summary>Keys as bits, under another name.</summary>
    public static Parameter<int> Keys { get; } = Integer("keys", KeyBitmask.Sentence, "12");

    /// <summary>How long a button is held.</summary>
    public static Parameter<int> Duration { get; } = Integer("duration", $"How many frames it stays down, {Limits.MinFrames}..{Limits.Frames}.", "30");

    /// <summary>A value for a byte or a register.</summary>
    public static Parameter<int> Value { get; } = Integer("value", "The value.", "255");

    /// <summary>A value for two or four bytes.</summary>
    public static Parameter<uint> UnsignedValue { get; } = Bound<uint>("uint", "value", "The value.", "255", IsInteger);

    /// <summary>The same for versions in which it has a sign.</summary>
    public static Parameter<uint> AnyValue { get; } = Bound("int", "value", "The value.", "255", static (string text, out uint value) =>
    {
        var isInteger = IsInteger(text, out long number) && number is >= int.MinValue and <= uint.MaxValue;
        value = (uint)number;
        return isInteger;
    });

    /// <summary>Whether a save file stays as it is.</summary>
    public static Parameter<bool> Temporary { get; } = Bound<bool>("bool", "temporary", "Whether the file stays as it is when the game saves.", "false", bool.TryParse);

    /// <summary>One button.</summary>
    public static Parameter<KeySet> Button { get; } = Of(
        "ButtonEnum", "button", "A, B, Select, Start, Right, Left, Up, Down, R or L. Before 0.8 its name is key, which is understood too.", "A",
        static (string text, out KeySet button) => ReadButton("ButtonEnum", "button", text, out button), olderName: "key");

    /// <summary>Buttons that are pressed together, each as a parameter of its own: <c>buttons=A&amp;buttons=B</c>, before 0.8 <c>keys=A&amp;keys=B</c>.</summary>
    public static Parameter<KeySet> Buttons { get; } = Of<KeySet>(
        "ButtonEnum[]", "buttons", "A, B, Select, Start, Right, Left, Up, Down, R or L; once for each button. Before 0.8 its name is keys, which is understood too.", "A", ReadButtons, olderName: "keys");

    /// <summary>The text of a query for a parameter, or null for none. Values that are given several times have commas between them.</summary>
    public static ParameterText TextOf { get; } = static (source, parameter, _) =>
    {
        var (query, shape) = ((IQueryCollection)source, (QueryShape)parameter.Shape);
        return query.TryGetValue(parameter.Name, out var values) || (shape.OlderName is { } older && query.TryGetValue(older, out values))
            ? string.Join(shape.IsList ? BetweenItems : ',', values.ToArray())
            : null;
    };

    /// <summary>
    /// What is wrong with a query, or null. The texts of status 400 are those of mGBA-http's framework, which reads all parameters before the script sees
    /// one: they take precedence over what the script refuses.
    /// </summary>
    public static QueryError? ErrorIn(IQueryCollection query, IEnumerable<Parameter> parameters)
    {
        QueryError? first = null;
        foreach (var parameter in parameters)
        {
            if (parameter.Shape is not QueryShape shape)
            {
                continue; // the body
            }

            var error = TextOf(query, parameter, ParameterPlace.Query) is { } text ? shape.ErrorOf(text)
                : shape.IsList ? QueryError.InScript($"The parameter {parameter.Name} is missing; expected for example buttons=A&buttons=B.")
                : parameter.IsRequired ? QueryError.Bad($"Required parameter \"{shape.Type} {parameter.Name}\" was not provided from query string.")
                : null;
            if (error is { Status: StatusCodes.Status400BadRequest })
            {
                return error;
            }

            first ??= error;
        }

        return first;
    }

    /// <summary>Reads text. Returns what is wrong with it, or null.</summary>
    private delegate QueryError? Read<T>(string text, out T value);

    /// <summary>Reads text that mGBA-http's framework reads. False if it is not of its type.</summary>
    private delegate bool TryRead<T>(string text, out T value);

    private static Parameter<T> Of<T>(string type, string name, string sentence, string example, Read<T> read, string? olderName = null) =>
        new(name, sentence, new Kind<T>(type, read, olderName)) { Example = example, IsInQuery = true };

    private static Parameter<T> Bound<T>(string type, string name, string sentence, string example, TryRead<T> read) =>
        Of(type, name, sentence, example, (string text, out T value) => read(text, out value) ? null : QueryError.Unreadable(type, name, text));

    private static Parameter<string> Text(string name, string sentence, string example) => Of("string", name, sentence, example, (string text, out string value) => Empty(name, value = text));

    private static Parameter<int> Integer(string name, string sentence, string example) => Bound<int>("int", name, sentence, example, IsInteger);

    private static Parameter<long> Number(string name, string sentence, string example) =>
        Of("string", name, sentence, example, (string text, out long number) => ReadNumber(name, text, out number));

    private static QueryError? Empty(string name, string text) => text.Length == 0 ? QueryError.InScript($"{name} is empty.") : null;

    private static bool IsInteger<T>(string text, out T value)
        where T : struct, IBinaryInteger<T> => T.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out value);

    // by its name in any case, or by its number
    private static QueryError? ReadButton(string type, string name, string text, out KeySet button)
    {
        var isRead = Enum.TryParse<ButtonEnum>(text, ignoreCase: true, out var key);
        button = new KeySet((1 << (int)key) & KeySet.All);
        return !isRead ? QueryError.Unreadable(type, name, text)
            : !Enum.IsDefined(key) ? QueryError.InScript($"{name} is {text}; expected 0 to 9.")
            : null;
    }

    private static QueryError? ReadButtons(string text, out KeySet buttons)
    {
        buttons = default;
        QueryError? first = null;
        foreach (var item in text.Split(BetweenItems))
        {
            var error = ReadButton("ButtonEnum[]", "buttons", item, out var button);
            buttons = new KeySet(buttons.Mask | button.Mask);
            first = first is null or { Status: StatusCodes.Status502BadGateway } ? error ?? first : first;
        }

        return first;
    }

    /// <summary>A number in the syntax of Lua, to which mGBA-http passes its text: <c>0x10</c>, <c>16</c>, <c>-1</c>, <c>1e3</c>.</summary>
    private static QueryError? ReadNumber(string name, string text, out long number)
    {
        var digits = text.AsSpan().Trim();
        var isNegative = digits.StartsWith('-');
        var isHex = digits[(isNegative ? 1 : 0)..].StartsWith("0x", StringComparison.OrdinalIgnoreCase);
        if (isHex && long.TryParse(digits[(isNegative ? 3 : 2)..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number))
        {
            number = isNegative ? -number : number;
            return null;
        }

        if (!isHex && long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number))
        {
            return null;
        }

        var isReal = double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out var real) && !isHex && Math.Abs(real) < Wire.MaxId;
        number = isReal ? (long)real : 0;
        return isReal ? null : QueryError.InScript($"{name} is \"{text}\"; expected a number such as 0x02000000 or 33554432.");
    }

    /// <summary>Values that are texts of a query.</summary>
    private sealed class Kind<T>(string type, Read<T> read, string? olderName) : ParameterKind<T>
    {
        public override ParameterShape Shape { get; } = new QueryShape(type, olderName, text => read(text, out _));

        internal override bool TryParse(string text, out T value) => read(text, out value) is null;

        internal override bool TryRead(ref Utf8JsonReader reader, out T value) => throw new NotSupportedException("These paths read no JSON.");
    }

    /// <summary>The values that a parameter of a query may have.</summary>
    /// <param name="Type">Its type as mGBA-http's messages name it.</param>
    /// <param name="OlderName">What it was called in older versions, or null.</param>
    /// <param name="ErrorOf">What is wrong with a text, or null.</param>
    private sealed record QueryShape(string Type, string? OlderName, Func<string, QueryError?> ErrorOf) : ParameterShape(Type is "int" or "uint" or "Nullable<int>" ? "integer" : "string", "a text")
    {
        /// <summary>Whether it is given once for each item.</summary>
        public bool IsList => Type.EndsWith("[]", StringComparison.Ordinal);
    }
}

/// <summary>What is wrong with a query.</summary>
/// <param name="Status">The status.</param>
/// <param name="Text">The text.</param>
internal sealed record QueryError(int Status, string Text)
{
    /// <summary>The request is wrong.</summary>
    public static QueryError Bad(string text) => new(StatusCodes.Status400BadRequest, text);

    /// <summary>A value is not of its parameter's type, as mGBA-http's framework says it.</summary>
    public static QueryError Unreadable(string type, string name, string text) => Bad($"Failed to bind parameter \"{type} {name}\" from \"{text}\".");

    /// <summary>mGBA-http passes the value to its script, which then fails.</summary>
    public static QueryError InScript(string detail) => new(StatusCodes.Status502BadGateway, MgbaHttpFailures.ScriptError(detail));
}

/// <summary>A key by its name, numbered as the console does.</summary>
internal enum ButtonEnum
{
    A,
    B,
    Select,
    Start,
    Right,
    Left,
    Up,
    Down,
    R,
    L,
}
