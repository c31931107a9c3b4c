using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace MgbaBridge.Client.Commands;

/// <summary>
/// A condition on numbers in memory, as text: <c>u32 0x02000008 ge 100 and player.hp &lt; 10 or map changed</c>. HTTP, the command line and MCP take
/// the same conditions. A place is a location with a type, in either order, or a name, which only the open game explains: a constant, too, which is no place.
/// </summary>
public sealed class Condition
{
    /// <summary>How conditions are written.</summary>
    public const string ExpectedFormat =
        "Write for example \"player.hp < 10 and 0x02000008 u32 >= 100 or counter changed\", with ==, !=, <, <=, >, >=, & (all these bits are set) or eq, ne, lt, le, gt, ge, mask, any "
        + "(one of these bits is set) and changed; and binds tighter than or. A place without a name has a type. A name may stand on either side.";

    /// <summary>The most characters.</summary>
    public const int MaxText = 2_000;

    /// <summary>The most tests.</summary>
    public const int MaxTests = 32;

    private static readonly Dictionary<string, Comparison> Words = new(
        Enum.GetValues<Comparison>().Select(comparison => KeyValuePair.Create(Encoding.ASCII.GetString(comparison.Word()), comparison)), StringComparer.OrdinalIgnoreCase)
    {
        ["=="] = Comparison.Eq,
        ["="] = Comparison.Eq,
        ["!="] = Comparison.Ne,
        ["<"] = Comparison.Lt,
        ["<="] = Comparison.Le,
        [">"] = Comparison.Gt,
        [">="] = Comparison.Ge,
        ["&"] = Comparison.Mask,
    };

    private readonly string _text;
    private readonly List<List<Test>> _anyOf;

    private Condition(string text, List<List<Test>> anyOf) => (_text, _anyOf) = (text, anyOf);

    /// <summary>The places and names in their order, each with its type behind it if it has one; one may be there more than once.</summary>
    public IEnumerable<string> Places => _anyOf.SelectMany(static all => all).SelectMany(static test => test.Other is { } other ? new[] { test.Place, other } : [test.Place]);

    /// <summary>Whether it compares a place with what it was before.</summary>
    public bool HasChanged => _anyOf.Any(static all => all.Any(static test => test.Is == Comparison.Changed));

    /// <summary>Reads a condition.</summary>
    /// <param name="text">The text.</param>
    /// <param name="condition">The condition.</param>
    /// <param name="wrong">What is wrong with the text.</param>
    public static bool TryParse(string text, [NotNullWhen(true)] out Condition? condition, [NotNullWhen(false)] out string? wrong)
    {
        (condition, wrong) = (null, text.Length > MaxText ? $"The condition has {text.Length} characters; at most {MaxText} are allowed." : null);
        var anyOf = new List<List<Test>> { new() };
        var words = new List<string>();
        foreach (var word in wrong is null ? text.Split(' ', StringSplitOptions.RemoveEmptyEntries).Append("or") : [])
        {
            var isOr = word.Equals("or", StringComparison.OrdinalIgnoreCase);
            if (!isOr && !word.Equals("and", StringComparison.OrdinalIgnoreCase))
            {
                words.Add(word);
                continue;
            }

            if (TestOf(words) is not { } test)
            {
                wrong = $"\"{string.Join(' ', words)}\" is not a test. {ExpectedFormat}";
                return false;
            }

            anyOf[^1].Add(test);
            words.Clear();
            if (isOr)
            {
                anyOf.Add([]);
            }
        }

        anyOf.RemoveAt(anyOf.Count - 1);
        wrong ??= anyOf.Sum(all => all.Count) > MaxTests ? $"The condition has more than {MaxTests} tests." : null;
        condition = wrong is null ? new Condition(text, anyOf) : null;
        return condition is not null;
    }

    /// <summary>
    /// The tests as the script takes them: alternatives, each a list that has to hold as a whole. Null when <paramref name="find"/> has none for a place, or
    /// <paramref name="constant"/> no number for a name that a place is compared with. Both are asked in the order of <see cref="Places"/>.
    /// </summary>
    public IReadOnlyList<IReadOnlyList<MemoryTest>>? InMemory(Func<string, (Location At, NumberType Type)?> find, Func<string, long?> constant)
    {
        var anyOf = new List<List<MemoryTest>>();
        foreach (var all in _anyOf)
        {
            anyOf.Add([]);
            foreach (var test in all)
            {
                if (find(test.Place) is not var (location, type) || (test.Other is { } other ? constant(other) : test.Value) is not { } value)
                {
                    return null;
                }

                anyOf[^1].Add(new MemoryTest(type, location, test.Is, value));
            }
        }

        return anyOf;
    }

    /// <summary>
    /// The tests as the text that the script takes. Null when <paramref name="find"/> has no type and place for a place, or <paramref name="constant"/> no
    /// number for a name that a place is compared with.
    /// </summary>
    public string? Write(Func<string, string?> find, Func<string, long?> constant)
    {
        var anyOf = new List<string>();
        foreach (var all in _anyOf)
        {
            var tests = new List<string>();
            foreach (var test in all)
            {
                if (find(test.Place) is not { } place || (test.Other is { } other ? constant(other) : test.Value) is not { } value)
                {
                    return null;
                }

                var comparison = Encoding.ASCII.GetString(test.Is.Word());
                tests.Add(test.Is == Comparison.Changed ? $"{place} {comparison}" : string.Create(CultureInfo.InvariantCulture, $"{place} {comparison} {value}"));
            }

            anyOf.Add(string.Join(" and ", tests));
        }

        return string.Join(" or ", anyOf);
    }

    /// <summary>The same where each place is a location with a type; null when there is a name.</summary>
    public IReadOnlyList<IReadOnlyList<MemoryTest>>? InMemory() => InMemory(
        static place => place.Split(' ') is [var at, var kind] && Location.TryParse(at, out var location) && NumberTypes.TryParse(kind, out var type) ? (location, type) : null,
        static _ => null);

    /// <summary>Whether it holds.</summary>
    /// <param name="now">The numbers of the places, in their order.</param>
    /// <param name="before">The numbers when the wait began.</param>
    public bool Holds(IReadOnlyList<long> now, IReadOnlyList<long> before)
    {
        var index = 0;
        var holds = false;
        foreach (var all in _anyOf)
        {
            var each = true;
            foreach (var test in all)
            {
                var (number, first) = (now[index], before[index]);
                index++;
                each &= test.Holds(number, first, test.Other is null ? test.Value : now[index++]);
            }

            holds |= each;
        }

        return holds;
    }

    /// <summary>As text.</summary>
    public override string ToString() => _text;

    private static Test? TestOf(List<string> words)
    {
        var at = words.FindIndex(Words.ContainsKey);
        if (at < 1)
        {
            return null;
        }

        var (comparison, value) = (Words[words[at]], 0L);
        var other = comparison != Comparison.Changed && at == words.Count - 2 && !Integers.TryParse(words[^1], out value) ? words[^1] : null;
        var isWhole = comparison == Comparison.Changed ? at == words.Count - 1 : at == words.Count - 2 && (other is null || IsName(other));
        var hasTypeFirst = at > 1 && NumberTypes.TryParse(words[0], out _, out _);
        return isWhole ? new Test(string.Join(' ', hasTypeFirst ? words[1..at].Append(words[0]) : words.Take(at)), comparison, value, other) : null;
    }

    // what begins like a number is a misspelt one
    private static bool IsName(string word) => !Words.ContainsKey(word) && !char.IsAsciiDigit(word[0]) && word[0] is not ('-' or '+');

    // compared with a number, or with what a name is
    private sealed record Test(string Place, Comparison Is, long Value, string? Other)
    {
        public bool Holds(long now, long before, long with) => Is switch
        {
            Comparison.Eq => now == with,
            Comparison.Ne => now != with,
            Comparison.Lt => now < with,
            Comparison.Le => now <= with,
            Comparison.Gt => now > with,
            Comparison.Ge => now >= with,
            Comparison.Mask => (now & with) == with,
            Comparison.Any => (now & with) != 0,
            _ => now != before,
        };
    }
}

/// <summary>The comparison of a number in memory.</summary>
public enum Comparison
{
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,

    /// <summary>All these bits are set.</summary>
    Mask,

    /// <summary>One of these bits is set.</summary>
    Any,

    /// <summary>The number differs from the one at the time of the request.</summary>
    Changed,
}

/// <summary>The properties of a comparison.</summary>
public static class Comparisons
{
    /// <summary>Its wire name.</summary>
    public static ReadOnlySpan<byte> Word(this Comparison comparison) => comparison switch
    {
        Comparison.Eq => "eq"u8,
        Comparison.Ne => "ne"u8,
        Comparison.Lt => "lt"u8,
        Comparison.Le => "le"u8,
        Comparison.Gt => "gt"u8,
        Comparison.Ge => "ge"u8,
        Comparison.Mask => "mask"u8,
        Comparison.Any => "any"u8,
        _ => "changed"u8,
    };
}
