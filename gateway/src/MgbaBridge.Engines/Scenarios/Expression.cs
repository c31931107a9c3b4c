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

    /// <summary>The sum of all.</summary>
    public static Expression Sum(IEnumerable<Expression> parts) => parts.Aggregate(static (one, other) => new Computed(static (left, right) => left + right, one, other));

    /// <summary>1 where all hold.</summary>
    public static Expression All(IEnumerable<Expression> parts) => parts.Aggregate((Expression)new Constant(1), static (one, other) => new Computed(Both, one, other));

    /// <summary>1 where one holds.</summary>
    public static Expression Any(IEnumerable<Expression> parts) => parts.Aggregate((Expression)new Constant(0), static (one, other) => new Computed(Either, one, other));

    /// <summary>1 where both hold.</summary>
    public static double Both(double one, double other) => One(one > 0 && other > 0);

    /// <summary>1 where one of them holds.</summary>
    public static double Either(double one, double other) => One(one > 0 || other > 0);

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
}

/// <summary>What is made of one or two numbers.</summary>
internal sealed record Computed(Func<double, double, double> Function, Expression Left, Expression Right) : Expression
{
    public override IEnumerable<int> Compared => Left.Compared.Concat(Right.Compared);

    public override double Of(ReadOnlySpan<long> values, ReadOnlySpan<long> changes) => Nearest(Function(Left.Of(values, changes), Right.Of(values, changes)));
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
}
