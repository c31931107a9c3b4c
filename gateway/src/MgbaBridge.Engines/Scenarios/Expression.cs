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

    /// <summary>The steps by which a program computes it on a stack, in their order.</summary>
    /// <param name="names">The names of the variables.</param>
    public abstract IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names);

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
    public override IEnumerable<int> Compared => [];

    public override double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => Number;

    public override IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names) => [new ExpressionStep { Number = Number }];
}

/// <summary>What is made of two numbers.</summary>
/// <param name="Name">What it is called in expressions.</param>
/// <param name="Function">What it makes.</param>
internal sealed record Operator(string Name, Func<double, double, double> Function);

/// <summary>The operators.</summary>
internal static class Operators
{
    public static readonly Operator Plus = new("+", static (one, other) => one + other);
    public static readonly Operator Minus = new("-", static (one, other) => one - other);
    public static readonly Operator Times = new("*", static (one, other) => one * other);
    public static readonly Operator Divide = new("/", static (one, other) => other == 0 ? 0 : one / other);
    public static readonly Operator Both = new("and", static (one, other) => Expression.One(one > 0 && other > 0));
    public static readonly Operator Either = new("or", static (one, other) => Expression.One(one > 0 || other > 0));
    public static readonly Operator Equal = new("==", static (one, other) => Expression.One(one.Equals(other)));
    public static readonly Operator NotEqual = new("!=", static (one, other) => Expression.One(!one.Equals(other)));
    public static readonly Operator Less = new("<", static (one, other) => Expression.One(one < other));
    public static readonly Operator LessOrEqual = new("<=", static (one, other) => Expression.One(one <= other));
    public static readonly Operator Greater = new(">", static (one, other) => Expression.One(one > other));
    public static readonly Operator GreaterOrEqual = new(">=", static (one, other) => Expression.One(one >= other));
    public static readonly Operator Least = new("min", Math.Min);
    public static readonly Operator Most = new("max", Math.Max);
}

/// <summary>What is made of two numbers.</summary>
internal sealed record Computed(Operator Operator, Expression Left, Expression Right) : Expression
{
    public override IEnumerable<int> Compared => Left.Compared.Concat(Right.Compared);

    public override double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => Nearest(Operator.Function(Left.Of(values, changes), Right.Of(values, changes)));

    public override IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names) => [.. Left.Steps(names), .. Right.Steps(names), new ExpressionStep { Operator = Operator.Name }];
}

/// <summary>The sign of a number, or the number without it.</summary>
internal sealed record Signed(bool IsSign, Expression Inner) : Expression
{
    public override IEnumerable<int> Compared => Inner.Compared;

    public override double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => Inner.Of(values, changes) is var number && IsSign ? Math.Sign(number) : Math.Abs(number);

    public override IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names) => [.. Inner.Steps(names), new ExpressionStep { Operator = IsSign ? "sign" : "abs" }];
}

/// <summary>What is made of a measured number.</summary>
internal enum MeasureOperation
{
    None,
    Zero,
    Nonzero,
    Positive,
    Negative,
    Sign,
    Equal,
    NegativeEqual,
    NotEqual,
    LessThan,
    GreaterThan,
    LessOrEqual,
    GreaterOrEqual,
}

/// <summary>A number made from a variable.</summary>
/// <param name="Variable">The index of the variable.</param>
/// <param name="IsDelta">Whether its change in the step is measured instead of its value.</param>
/// <param name="Operation">What is made of it.</param>
/// <param name="Reference">What it is compared with.</param>
internal sealed record Measure(int Variable, bool IsDelta, MeasureOperation Operation = MeasureOperation.None, long Reference = 0) : Expression
{
    public override IEnumerable<int> Compared => IsDelta ? [Variable] : [];

    public override double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes)
    {
        var value = IsDelta ? changes[Variable] : values[Variable];
        return Operation switch
        {
            MeasureOperation.None => value,
            MeasureOperation.Sign => Math.Sign(value),
            MeasureOperation.Zero => One(value == 0),
            MeasureOperation.Nonzero => One(value != 0),
            MeasureOperation.Positive => One(value > 0),
            MeasureOperation.Negative => One(value < 0),
            MeasureOperation.Equal => One(value == Reference),
            MeasureOperation.NegativeEqual => One(value == -Reference),
            MeasureOperation.NotEqual => One(value != Reference),
            MeasureOperation.LessThan => One(value < Reference),
            MeasureOperation.GreaterThan => One(value > Reference),
            MeasureOperation.LessOrEqual => One(value <= Reference),
            _ => One(value >= Reference),
        };
    }

    public override IEnumerable<ExpressionStep> Steps(IReadOnlyList<string> names)
    {
        yield return IsDelta ? new ExpressionStep { Change = names[Variable] } : new ExpressionStep { Value = names[Variable] };
        if (Operation == MeasureOperation.Sign)
        {
            yield return new ExpressionStep { Operator = "sign" };
        }
        else if (Operation != MeasureOperation.None)
        {
            var (compared, reference) = Operation switch
            {
                MeasureOperation.Zero => (Operators.Equal, 0),
                MeasureOperation.Nonzero => (Operators.NotEqual, 0),
                MeasureOperation.Positive => (Operators.Greater, 0),
                MeasureOperation.Negative => (Operators.Less, 0),
                MeasureOperation.Equal => (Operators.Equal, Reference),
                MeasureOperation.NegativeEqual => (Operators.Equal, -Reference),
                MeasureOperation.NotEqual => (Operators.NotEqual, Reference),
                MeasureOperation.LessThan => (Operators.Less, Reference),
                MeasureOperation.GreaterThan => (Operators.Greater, Reference),
                MeasureOperation.LessOrEqual => (Operators.LessOrEqual, Reference),
                _ => (Operators.GreaterOrEqual, Reference),
            };
            yield return new ExpressionStep { Number = reference };
            yield return new ExpressionStep { Operator = compared.Name };
        }
    }
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
