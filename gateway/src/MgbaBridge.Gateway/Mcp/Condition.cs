using System.Globalization;
using System.Text;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Mcp;

/// <summary>A condition on values with names: <c>player.hp &lt; 10 and map == 3 or counter changed</c>; <c>and</c> binds tighter than <c>or</c>.</summary>
internal sealed class Condition
{
    /// <summary>How conditions are written.</summary>
    public const string FormatHint =
        "Write for example \"player.hp < 10 and map == 3 or counter changed\", with ==, !=, <, <=, >, >=, & (all these bits are set) and changed; and binds tighter than or. A place without a "
        + "name has a type: \"0x02000008 u32 >= 100\".";

    private const int MaxTests = 32;

    private static readonly Dictionary<string, Comparison> Signs = new()
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

    private static readonly Dictionary<string, Comparison> Words = new(
        [.. Signs, .. Enum.GetValues<Comparison>().Select(comparison => KeyValuePair.Create(Encoding.ASCII.GetString(comparison.Word()), comparison))], StringComparer.OrdinalIgnoreCase);

    private readonly List<List<Test>> _anyOf;

    private Condition(List<List<Test>> anyOf) => _anyOf = anyOf;

    /// <summary>The places, in order; one may be there more than once.</summary>
    public IReadOnlyList<string> Places => [.. _anyOf.SelectMany(all => all).Select(test => test.Place)];

    /// <summary>Reads a condition.</summary>
    /// <exception cref="ToolException">It is none.</exception>
    public static Condition Parse(string text)
    {
        var anyOf = new List<List<Test>> { new() };
        var words = new List<string>();
        foreach (var word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries).Append("or"))
        {
            if (!word.Equals("and", StringComparison.OrdinalIgnoreCase) && !word.Equals("or", StringComparison.OrdinalIgnoreCase))
            {
                words.Add(word);
                continue;
            }

            anyOf[^1].Add(TestOf(words));
            words.Clear();
            if (word.Equals("or", StringComparison.OrdinalIgnoreCase))
            {
                anyOf.Add([]);
            }
        }

        anyOf.RemoveAt(anyOf.Count - 1);
        return anyOf.Sum(all => all.Count) <= MaxTests ? new Condition(anyOf) : throw new ToolException($"The condition has more than {MaxTests} tests.", "wait for less.");
    }

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
                each &= test.Holds(now[index], before[index]);
                index++;
            }

            holds |= each;
        }

        return holds;
    }

    /// <summary>As the script takes it, which checks it in each frame; null when a place is not a plain little-endian number at a fixed location.</summary>
    public string? ForScript(GameNames game)
    {
        var text = new StringBuilder();
        foreach (var all in _anyOf)
        {
            text.Append(text.Length > 0 ? " or " : "");
            for (var index = 0; index < all.Count; index++)
            {
                var test = all[index];
                var (property, location) = game.Find(test.Place);
                if (property.Chain.Count > 0 || property.Type is not ScalarType { Endian: Endian.Little } number)
                {
                    return null;
                }

                text.Append(index > 0 ? " and " : "").Append(number.Kind).Append(' ').Append(location).Append(' ').Append(Encoding.ASCII.GetString(test.Is.Word()));
                if (test.Is != Comparison.Changed)
                {
                    text.Append(CultureInfo.InvariantCulture, $" {test.Value}");
                }
            }
        }

        return text.ToString();
    }

    /// <summary>The numbers of the places now.</summary>
    /// <exception cref="ToolException">One is no number.</exception>
    public static long[] Numbers(NamedValues values) => [.. values.Values.Select(value => value.Property.Type is not ScalarType number
        ? throw new ToolException($"{value.Property.Name} is no number but {value.Property.Type.Kind}.", "wait for a number.")
        : value.Location is null ? 0 : number.Type.Read(value.Bytes.Span, number.Endian))];

    private static Test TestOf(List<string> words)
    {
        var at = words.FindIndex(Words.ContainsKey);
        var comparison = at < 1 ? default : Words[words[at]];
        var value = 0L;
        var isTest = at >= 1 && (comparison == Comparison.Changed ? at == words.Count - 1 : at == words.Count - 2 && TryNumber(words[^1], out value));
        return isTest ? new Test(string.Join(' ', words.Take(at)), comparison, value)
            : throw new ToolException($"\"{string.Join(' ', words)}\" is not a test.", FormatHint);
    }

    private static bool TryNumber(string word, out long number) => word.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
        ? long.TryParse(word.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number)
        : long.TryParse(word, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);

    private sealed record Test(string Place, Comparison Is, long Value)
    {
        public bool Holds(long now, long before) => Is switch
        {
            Comparison.Eq => now == Value,
            Comparison.Ne => now != Value,
            Comparison.Lt => now < Value,
            Comparison.Le => now <= Value,
            Comparison.Gt => now > Value,
            Comparison.Ge => now >= Value,
            Comparison.Mask => (now & Value) == Value,
            Comparison.Any => (now & Value) != 0,
            _ => now != before,
        };
    }
}
