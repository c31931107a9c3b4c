namespace MgbaBridge.Engines.Search;

/// <summary>
/// A test in the form that vectors take. All but three are about an interval: <c>now - base</c>, in arithmetic that wraps around, is within it, where
/// the base is nothing or an earlier number. The others compare with an earlier number: less, greater, and apart by <c>Low</c> in either direction.
/// </summary>
/// <param name="Kind">Which of these.</param>
/// <param name="Against">Where earlier numbers come from.</param>
/// <param name="Negated">Whether those stay that do not pass.</param>
/// <param name="Low">The interval's lower end, or the difference, cut to the type's bits.</param>
/// <param name="Span">The upper end less the lower one.</param>
internal readonly record struct VectorTest(ElementKind Kind, SearchAgainst Against, bool Negated, ulong Low, ulong Span)
{
    /// <summary>Makes it from a test that is not <see cref="SearchTest.Wrong"/>.</summary>
    public static VectorTest Of(in SearchTest test, in SearchValueType form)
    {
        var (value, to) = (test.Value ?? 0, test.To ?? 0);
        var against = test.Against;
        return against == SearchAgainst.Value
            ? test.Is switch
            {
                SearchComparison.Eq => Within(form, against, value, value),
                SearchComparison.Ne => Within(form, against, value, value) with { Negated = true },
                SearchComparison.Lt => Within(form, against, value, form.Greatest) with { Negated = true },
                SearchComparison.Le => Within(form, against, form.Least, value),
                SearchComparison.Gt => Within(form, against, form.Least, value) with { Negated = true },
                SearchComparison.Ge => Within(form, against, value, form.Greatest),
                _ => Within(form, against, value, to),
            }
            : test.Is switch
            {
                SearchComparison.Changed when test.Value is not null => new VectorTest(ElementKind.Apart, against, false, (ulong)(value & form.Mask), 0),
                SearchComparison.Eq or SearchComparison.Unchanged => Within(form, against, value, value),
                SearchComparison.Ne or SearchComparison.Changed => Within(form, against, value, value) with { Negated = true },
                SearchComparison.Increased when test.Value is not null => Within(form, against, value, value),
                SearchComparison.Decreased when test.Value is not null => Within(form, against, -value, -value),
                SearchComparison.Lt or SearchComparison.Decreased => new VectorTest(ElementKind.Less, against, false, 0, 0),
                SearchComparison.Ge => new VectorTest(ElementKind.Less, against, true, 0, 0),
                SearchComparison.Gt or SearchComparison.Increased => new VectorTest(ElementKind.Greater, against, false, 0, 0),
                SearchComparison.Le => new VectorTest(ElementKind.Greater, against, true, 0, 0),
                _ => Within(form, against, value, to),
            };
    }

    // nothing is between 5 and 3, and everything is not
    private static VectorTest Within(in SearchValueType form, SearchAgainst against, long low, long high) => low > high
        ? new VectorTest(ElementKind.Within, against, true, 0, (ulong)form.Mask)
        : new VectorTest(ElementKind.Within, against, false, (ulong)(low & form.Mask), (ulong)Math.Min(high - low, form.Mask));
}

/// <summary>What vectors compare.</summary>
internal enum ElementKind
{
    Within,
    Less,
    Greater,
    Apart,
}
