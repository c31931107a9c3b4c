using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Testing;

/// <summary>A place that a rule reads when a ROM has ended: a register, or a number in memory.</summary>
/// <param name="Text">As it is written.</param>
/// <param name="Register">The register; null for memory.</param>
/// <param name="Address">The address.</param>
/// <param name="Type">The type of the number.</param>
internal sealed record RulePlace(string Text, string? Register, long Address, NumberType Type)
{
    private static readonly HashSet<string> Registers =
        ["a", "b", "c", "d", "e", "f", "h", "l", "af", "bc", "de", "hl", "sp", "pc", "lr", "cpsr", .. Enumerable.Range(0, 13).Select(static number => string.Create(CultureInfo.InvariantCulture, $"r{number}"))];

    /// <summary>Reads <c>b</c> or <c>0xFF82 u8</c>.</summary>
    public static RulePlace? Find(string text) =>
        Registers.Contains(text) ? new RulePlace(text, text, 0, NumberType.U32)
        : text.Split(' ') is [var at, var kind] && Location.TryParse(at, out var location) && location is { Domain: null, Offset: <= uint.MaxValue } && NumberTypes.TryParse(kind, out var type)
            ? new RulePlace(text, null, location.Offset, type)
            : null;
}

/// <summary>A condition of a rule.</summary>
internal sealed class RuleCondition
{
    private readonly Condition _condition;

    private RuleCondition(Condition condition, IReadOnlyList<RulePlace> places) => (_condition, Places) = (condition, places);

    /// <summary>The places that it reads, in its order.</summary>
    public IReadOnlyList<RulePlace> Places { get; }

    /// <summary>Reads it. Null and what is wrong with it.</summary>
    public static RuleCondition? Parse(string text, out string? wrong)
    {
        if (!Condition.TryParse(text, out var condition, out wrong))
        {
            return null;
        }

        var places = condition.Places.Select(static place => (Text: place, Place: RulePlace.Find(place))).ToList();
        wrong = places.FirstOrDefault(static place => place.Place is null).Text is { } unknown
            ? $"\"{unknown}\" is no register and no address with a type, such as 0xFF82 u8."
            : null;
        return wrong is null ? new RuleCondition(condition, [.. places.Select(static place => place.Place!)]) : null;
    }

    /// <summary>The condition as values of <c>--until</c>, one for each alternative; null and what is wrong when it is none for the end of frames.</summary>
    public IReadOnlyList<string>? Until(out string? wrong)
    {
        wrong = null;
        var tests = _condition.InMemory(static place => RulePlace.Find(place) is { Register: null } found ? (Location.Bus(found.Address), found.Type) : null, static _ => null);
        if (tests is null || tests.Any(static all => all.Any(static test => test.Comparison is not (Comparison.Eq or Comparison.Ne) || !test.Type.CanHold(test.Value)) || all.Count(static test => test.Comparison == Comparison.Ne) > 1))
        {
            wrong = "The end of a ROM compares addresses with numbers by ==, and one of them at most by !=.";
            return null;
        }

        return [.. tests.Select(static all => $"memory:{string.Join(',', all.OrderBy(static test => test.Comparison == Comparison.Eq).Select(Text))}")];
    }

    /// <summary>Whether it holds.</summary>
    public bool Holds(RunReport report)
    {
        long[] numbers = [.. Places.Select(report.NumberAt)];
        return _condition.Holds(numbers, numbers);
    }

    /// <summary>The numbers in words.</summary>
    public string Describe(RunReport report) =>
        string.Join(", ", Places.DistinctBy(static place => place.Text).Select(place => string.Create(CultureInfo.InvariantCulture, $"{place.Text} is {report.NumberAt(place)}")));

    public override string ToString() => _condition.ToString();

    private static string Text(MemoryTest test)
    {
        Span<byte> bytes = stackalloc byte[test.Type.Bytes()];
        test.Type.Write(test.Value, bytes, Endian.Little);
        return string.Create(CultureInfo.InvariantCulture, $"{test.Location.Offset:X}{(test.Comparison == Comparison.Eq ? '=' : '!')}{Convert.ToHexString(bytes)}");
    }
}

/// <summary>A text with places in braces.</summary>
internal sealed partial class RuleMessage
{
    private readonly string _text;

    private RuleMessage(string text, IReadOnlyList<RulePlace> places) => (_text, Places) = (text, places);

    /// <summary>The places.</summary>
    public IReadOnlyList<RulePlace> Places { get; }

    /// <summary>Reads it. Null and what is wrong with it.</summary>
    public static RuleMessage? Parse(string text, out string? wrong)
    {
        var places = Place().Matches(text).Select(static match => (Text: match.Groups[1].Value, Place: RulePlace.Find(match.Groups[1].Value))).ToList();
        wrong = places.FirstOrDefault(static place => place.Place is null).Text is { } unknown ? $"{{{unknown}}} is no register and no address with a type, such as {{0xFF80 u8}}." : null;
        return wrong is null ? new RuleMessage(text, [.. places.Select(static place => place.Place!)]) : null;
    }

    /// <summary>The text.</summary>
    public string Of(RunReport report) => Place().Replace(_text, match => report.NumberAt(RulePlace.Find(match.Groups[1].Value)!).ToString(CultureInfo.InvariantCulture));

    [GeneratedRegex("\\{([^{}]*)\\}", RegexOptions.CultureInvariant)]
    private static partial Regex Place();
}

/// <summary>What was when a run ended: <c>end.txt</c> of <c>mgba-rom-test --report</c>.</summary>
internal sealed class RunReport
{
    private readonly Dictionary<string, string> _fields;

    private RunReport(Dictionary<string, string> fields) => _fields = fields;

    /// <summary>What ended it; <c>none</c>: the limit of frames did.</summary>
    public string End => _fields["end"];

    /// <summary>The frames that have run.</summary>
    public long Frames => long.Parse(_fields["frames"], CultureInfo.InvariantCulture);

    /// <summary>Reads it.</summary>
    public static RunReport Read(string path) =>
        new(File.ReadLines(path).Select(static line => line.Split(' ', 2)).Where(static line => line.Length == 2).GroupBy(static line => line[0]).ToDictionary(static line => line.Key, static line => line.First()[1]));

    /// <summary>The option for what is read.</summary>
    public static string Wanted(long address, int size) => string.Create(CultureInfo.InvariantCulture, $"{address:X}:{size}");

    /// <summary>The number at a place; 0 for a register that the console does not have.</summary>
    public long NumberAt(RulePlace place) => place.Register is { } register
        ? long.Parse(_fields.GetValueOrDefault(register, "0"), CultureInfo.InvariantCulture)
        : place.Type.Read(BytesAt(place.Address).AsSpan(0, place.Type.Bytes()));

    /// <summary>The bytes from an address on that was read.</summary>
    public byte[] BytesAt(long address) => Convert.FromHexString(_fields[string.Create(CultureInfo.InvariantCulture, $"0x{address:X}")]);

    /// <summary>The text there up to a zero byte, in one line: what is no ASCII character is a space.</summary>
    public string TextAt(long address, int step = 1)
    {
        var bytes = BytesAt(address).Where((_, index) => index % step == 0).ToArray().AsSpan();
        var text = string.Concat(Encoding.Latin1.GetString(bytes.IndexOf((byte)0) is >= 0 and var end ? bytes[..end] : bytes).Select(static letter => letter is > ' ' and <= '~' ? letter : ' '));
        return string.Join(' ', text.Split(' ', StringSplitOptions.RemoveEmptyEntries));
    }
}
