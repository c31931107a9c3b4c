namespace MgbaBridge.Engines.Search;

/// <summary>What a number must do to stay in a search.</summary>
/// <param name="Is">How it is compared.</param>
/// <param name="Against">With what.</param>
/// <param name="Value">The value; against an earlier pass the difference, null for none.</param>
/// <param name="To">The other end of <see cref="SearchComparison.Between"/>.</param>
public readonly record struct SearchTest(SearchComparison Is, SearchAgainst Against, long? Value, long? To)
{
    /// <summary>What is wrong with it for numbers of this form, or null.</summary>
    public string? Wrong(in SearchValueType form)
    {
        if ((To is null) == (Is == SearchComparison.Between))
        {
            return "between has a value and a to, as in {\"is\": \"between\", \"value\": 10, \"to\": 20}; nothing else has a to.";
        }

        return Against == SearchAgainst.Value ? WrongValue(form) : WrongDifference(form);
    }

    private string? WrongValue(in SearchValueType form)
    {
        if (Is >= SearchComparison.Changed)
        {
            return $"{Word(Is)} compares with an earlier pass: omit against, or set it to last or first.";
        }

        if (Value is null)
        {
            return $"Say the value to compare with, as in {{\"is\": \"{Word(Is)}\", \"value\": 5}}; or against last or first to compare with an earlier pass.";
        }

        return IsWithin(form.Least, form.Greatest) ? null : $"A {Word(form.Type)} is {form.Least} to {form.Greatest}.";
    }

    private string? WrongDifference(in SearchValueType form)
    {
        var mayDiffer = Is is SearchComparison.Eq or SearchComparison.Ne or SearchComparison.Between or SearchComparison.Changed or SearchComparison.Increased or SearchComparison.Decreased;
        if (Value is not null && !mayDiffer)
        {
            return $"Against an earlier pass only eq, ne, between, changed, increased and decreased have a value, which is the difference; {Word(Is)} has none.";
        }

        if (Is == SearchComparison.Changed && Value == 0)
        {
            return "What changed by 0 is unchanged: name another value, or omit it.";
        }

        if (Is == SearchComparison.Between && Value is null)
        {
            return "Say between which differences, as in {\"is\": \"between\", \"against\": \"last\", \"value\": 1, \"to\": 5}.";
        }

        return IsWithin(-form.Mask, form.Mask) ? null : $"Two numbers of type {Word(form.Type)} are at most {form.Mask} apart.";
    }

    private bool IsWithin(long least, long greatest) =>
        (Value is null || (Value >= least && Value <= greatest)) && (To is null || (To >= least && To <= greatest));

    private static string Word<TEnum>(TEnum value)
        where TEnum : struct, Enum => value.ToString().ToLowerInvariant();
}

/// <summary>How a pass compares. The last four are about an earlier pass.</summary>
public enum SearchComparison
{
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,

    /// <summary>From one value to another, both included.</summary>
    Between,
    Changed,
    Unchanged,
    Increased,
    Decreased,
}

/// <summary>What a pass compares with.</summary>
public enum SearchAgainst
{
    /// <summary>A value.</summary>
    Value,

    /// <summary>What the pass before this one found.</summary>
    Last,

    /// <summary>What the search began with.</summary>
    First,
}
