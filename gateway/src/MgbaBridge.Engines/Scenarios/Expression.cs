namespace MgbaBridge.Engines.Scenarios;

/// <summary>A number that is made of the variables in a step, and is finite. As a condition it holds when it is positive.</summary>
internal abstract record Expression
{
    /// <summary>The variables whose change it needs.</summary>
    public abstract IEnumerable<int> Compared { get; }

    /// <summary>The number.</summary>
    /// <param name="values">The values of the variables.</param>
    /// <param name="changes">Their changes in the step.</param>
    public abstract double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes);

    /// <summary>The number where it is a whole one, else null: those beyond 53 bits are not exact otherwise.</summary>
    /// <param name="values">The values of the variables.</param>
    /// <param name="changes">Their changes in the step.</param>
    public virtual long? Whole(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => null;

    /// <summary>The steps by which a program computes it on a stack, in their order.</summary>
    /// <param name="names">The names of the variables.</param>
    public abstract IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names);

    /// <summary>What an operator makes of it and a number.</summary>
    public Expression With(Operator found, long number) => new Computed(found, this, new Constant(number));

    /// <summary>The sum of all.</summary>
    public static Expression Sum(IEnumerable<Expression> parts) => parts.Aggregate(static (one, other) => new Computed(Operators.Plus, one, other));

    /// <summary>1 where all hold.</summary>
    public static Expression All(IEnumerable<Expression> parts) => parts.Aggregate((Expression)new Constant(1), static (one, other) => new Computed(Operators.Both, one, other));

    /// <summary>1 where one holds.</summary>
    public static Expression Any(IEnumerable<Expression> parts) => parts.Aggregate((Expression)new Constant(0), static (one, other) => new Computed(Operators.Either, one, other));

    /// <summary>1 for true.</summary>
    public static double One(bool holds) => holds ? 1 : 0;

    /// <summary>A result of finite numbers: the nearest one of those that there are. Without infinity nothing is NaN, as the difference of two would be.</summary>
    public static double Nearest(double number) => Math.Clamp(number, double.MinValue, double.MaxValue);
}

/// <summary>A number.</summary>
internal sealed record Constant(double Number) : Expression
{
    private readonly long? _whole;

    public Constant(long number)
        : this((double)number) => _whole = number;

    public override IEnumerable<int> Compared => [];

    public override long? Whole(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => _whole;

    public override double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => Number;

    public override IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names) => [new ExpressionStep { Number = Number }];
}

/// <summary>What is made of two numbers.</summary>
/// <param name="Name">What it is called in expressions.</param>
/// <param name="Function">What it makes.</param>
/// <param name="Holds">Of a comparison: whether it holds when the first number is less (-1), equal (0) or greater (1).</param>
internal sealed record Operator(string Name, Func<double, double, double> Function, Func<int, bool>? Holds = null)
{
    /// <summary>A comparison: 1 where it holds.</summary>
    public Operator(string name, Func<int, bool> holds)
        : this(name, (one, other) => Expression.One(holds(one.CompareTo(other))), holds)
    {
    }
}

/// <summary>The operators.</summary>
internal static class Operators
{
    public static readonly Operator Plus = new("+", static (one, other) => one + other);
    public static readonly Operator Minus = new("-", static (one, other) => one - other);
    public static readonly Operator Times = new("*", static (one, other) => one * other);
    public static readonly Operator Divide = new("/", static (one, other) => other == 0 ? 0 : one / other);
    public static readonly Operator Both = new("and", static (one, other) => Expression.One(one > 0 && other > 0));
    public static readonly Operator Either = new("or", static (one, other) => Expression.One(one > 0 || other > 0));
    public static readonly Operator Equal = new("==", static order => order == 0);
    public static readonly Operator NotEqual = new("!=", static order => order != 0);
    public static readonly Operator Less = new("<", static order => order < 0);
    public static readonly Operator LessOrEqual = new("<=", static order => order <= 0);
    public static readonly Operator Greater = new(">", static order => order > 0);
    public static readonly Operator GreaterOrEqual = new(">=", static order => order >= 0);
    public static readonly Operator Least = new("min", Math.Min);
    public static readonly Operator Most = new("max", Math.Max);
}

/// <summary>What is made of two numbers.</summary>
internal sealed record Computed(Operator Operator, Expression Left, Expression Right) : Expression
{
    public override IEnumerable<int> Compared => Left.Compared.Concat(Right.Compared);

    public override double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) =>
        Operator.Holds is { } holds && Left.Whole(values, changes) is { } left && Right.Whole(values, changes) is { } right
            ? One(holds(left.CompareTo(right)))
            : Nearest(Operator.Function(Left.Of(values, changes), Right.Of(values, changes)));

    public override IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names) => [.. Left.Steps(names), .. Right.Steps(names), new ExpressionStep { Operator = Operator.Name }];
}

/// <summary>The sign of a number, or the number without it.</summary>
internal sealed record Signed(bool IsSign, Expression Inner) : Expression
{
    public override IEnumerable<int> Compared => Inner.Compared;

    public override double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => Inner.Of(values, changes) is var number && IsSign ? Math.Sign(number) : Math.Abs(number);

    public override IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names) => [.. Inner.Steps(names), new ExpressionStep { Operator = IsSign ? "sign" : "abs" }];
}

/// <summary>A variable, or its change in the step.</summary>
/// <param name="Variable">The index of the variable.</param>
/// <param name="IsDelta">Whether it is the change.</param>
internal sealed record Measure(int Variable, bool IsDelta) : Expression
{
    public override IEnumerable<int> Compared => IsDelta ? [Variable] : [];

    public override double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => Value(values, changes);

    public override long? Whole(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => Value(values, changes);

    public override IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names) =>
        [IsDelta ? new ExpressionStep { Change = names[Variable] } : new ExpressionStep { Value = names[Variable] }];

    private long Value(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => IsDelta ? changes[Variable] : values[Variable];
}

/// <summary>A step of an expression: what it puts on the stack, or what it makes of the last two numbers there.</summary>
public sealed record ExpressionStep
{
    /// <summary>This number.</summary>
    public double? Number { get; init; }

    /// <summary>The value of this variable.</summary>
    public string? Value { get; init; }

    /// <summary>The change of this variable in the step.</summary>
    public string? Change { get; init; }

    /// <summary>An operator: `+ - * / == != &lt; &lt;= > >= and or min max`; `sign` and `abs` are of the last number alone.</summary>
    public string? Operator { get; init; }
}
