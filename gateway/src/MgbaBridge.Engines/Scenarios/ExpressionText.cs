using System.Globalization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Scenarios;

/// <summary>Reads expressions such as <c>change(score) - 0.01</c> or <c>lives == 0 or level > 3</c>.</summary>
/// <param name="text">The text.</param>
/// <param name="variables">The names of the variables.</param>
internal sealed class ExpressionText(string text, IReadOnlyList<string> variables)
{
    /// <summary>The words that no variable may be called.</summary>
    public static IReadOnlyList<string> Words { get; } = ["and", "or", "not", "change", "before", "abs", "sign", "min", "max"];

    private const int MaxText = 2_000;
    private const int MaxDepth = 64;

    // those of a level bind as strongly as each other, those of the next one more strongly
    private static readonly IReadOnlyList<IReadOnlyList<Operator>> Levels =
    [
        [Operators.Either],
        [Operators.Both],
        [Operators.Equal, Operators.NotEqual, Operators.Less, Operators.LessOrEqual, Operators.Greater, Operators.GreaterOrEqual],
        [Operators.Plus, Operators.Minus],
        [Operators.Times, Operators.Divide],
    ];

    private const int Comparisons = 2;

    private int _next; // the first character that is not read
    private int _at; // where the word begins
    private string _word = ""; // the next word; empty at the end
    private int _depth;

    /// <summary>Reads all of it.</summary>
    /// <exception cref="ExpressionFormatException">It is no expression.</exception>
    public Expression Read()
    {
        if (text.Length > MaxText)
        {
            throw Wrong($"It has {text.Length} characters; the limit is {MaxText}.");
        }

        Advance();
        var read = Level(0);
        return _word.Length == 0 ? read : throw Wrong($"{Quoted} is not expected here. An operator is, such as {string.Join(", ", Levels.SelectMany(level => level.Select(one => one.Name)))}.");
    }

    private string Quoted => $"\"{_word}\"";

    private Expression Level(int level)
    {
        if (level == Levels.Count)
        {
            return Unary();
        }

        if (level == Comparisons && _word == "not")
        {
            return Deeper(() => new Computed(Operators.LessOrEqual, Level(level), new Constant(0)));
        }

        var read = Level(level + 1);
        for (var count = 0; Levels[level].FirstOrDefault(one => one.Name == _word) is { } found; count++)
        {
            if (level == Comparisons && count > 0)
            {
                throw Wrong("A comparison has two sides. Write for example 0 < x and x < 9.");
            }

            Advance();
            read = new Computed(found, read, Level(level + 1));
        }

        return read;
    }

    private Expression Unary()
    {
        switch (_word)
        {
            case "-":
                return Deeper(() => new Computed(Operators.Minus, new Constant(0), Unary()));
            case "(":
                return Deeper(() => Closed(Level(0)));
            case "abs":
                return Deeper(() => Argument(static inner => new Signed(false, inner)));
            case "sign":
                return Deeper(() => Argument(static inner => new Signed(true, inner)));
            case "min":
                return Deeper(() => Arguments(Operators.Least));
            case "max":
                return Deeper(() => Arguments(Operators.Most));
            case "change":
                Advance();
                Expect("(");
                return Closed(Variable(isDelta: true));
            case "before":
                Advance();
                Expect("(");
                var change = Variable(isDelta: true);
                return Closed(new Computed(Operators.Minus, change with { IsDelta = false }, change));
            case [>= '0' and <= '9' or '.', ..]:
                return Number();
            default:
                return Variable(isDelta: false);
        }
    }

    private Measure Variable(bool isDelta)
    {
        if (_word.Length == 0)
        {
            throw Wrong("It ends where a number or a variable is expected.");
        }

        if (!IsName(_word) || Words.Contains(_word))
        {
            throw Wrong($"{Quoted} is not expected here, but a number or a variable.");
        }

        for (var index = 0; index < variables.Count; index++)
        {
            if (variables[index] == _word)
            {
                Advance();
                return new Measure(index, isDelta);
            }
        }

        throw Wrong($"There is no variable {Quoted}. {DocumentValue.Meant(_word, variables)}");
    }

    private Constant Number()
    {
        var isNumber = Integers.TryParse(_word, out var integer);
        var number = (double)integer;
        if (!isNumber && !double.TryParse(_word, NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent, CultureInfo.InvariantCulture, out number))
        {
            throw Wrong($"{Quoted} is no number.");
        }

        Advance();
        return double.IsFinite(number) ? new Constant(number) : throw Wrong("The number is too large.");
    }

    private Expression Argument(Func<Expression, Expression> make)
    {
        Expect("(");
        return Closed(make(Level(0)));
    }

    private Expression Arguments(Operator function) => Argument(first =>
    {
        Expect(",");
        return new Computed(function, first, Level(0));
    });

    // reads the word that begins it, then the rest
    private Expression Deeper(Func<Expression> rest)
    {
        if (++_depth > MaxDepth)
        {
            throw Wrong($"Expressions are in up to {MaxDepth} others.");
        }

        Advance();
        var read = rest();
        _depth--;
        return read;
    }

    private T Closed<T>(T inner)
    {
        Expect(")");
        return inner;
    }

    private void Expect(string word)
    {
        if (_word != word)
        {
            throw Wrong(_word.Length == 0 ? $"It ends where \"{word}\" is expected." : $"{Quoted} is not expected here, but \"{word}\".");
        }

        Advance();
    }

    private void Advance()
    {
        while (_next < text.Length && char.IsWhiteSpace(text[_next]))
        {
            _next++;
        }

        _at = _next;
        if (_next < text.Length)
        {
            _next += LengthOfWord(text.AsSpan(_next));
        }

        _word = text[_at.._next];
    }

    private static int LengthOfWord(ReadOnlySpan<char> rest)
    {
        if (IsInName(rest[0]))
        {
            var end = 1;
            while (end < rest.Length && (IsInName(rest[end]) || (rest[end] is '+' or '-' && rest[end - 1] is 'e' or 'E' && char.IsAsciiDigit(rest[0]) && !rest.StartsWith("0x", StringComparison.OrdinalIgnoreCase))))
            {
                end++;
            }

            return end;
        }

        return rest is ['=' or '!' or '<' or '>', '=', ..] ? 2 : 1;
    }

    /// <summary>Whether a variable may have this name.</summary>
    public static bool IsName(string name) => name.Length is > 0 and <= ScenarioLimits.Name && !char.IsAsciiDigit(name[0]) && name[0] != '.' && name.All(IsInName);

    private static bool IsInName(char one) => char.IsAsciiLetterOrDigit(one) || one is '_' or '.';

    private ExpressionFormatException Wrong(string reason) => new(_at, reason);
}

/// <summary>A text is no expression: at which character, from 0, and why.</summary>
internal sealed class ExpressionFormatException(int character, string reason) : Exception(reason)
{
    /// <summary>The character.</summary>
    public int Character => character;
}
