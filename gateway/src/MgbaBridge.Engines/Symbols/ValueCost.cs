namespace MgbaBridge.Engines.Symbols;

/// <summary>What it takes to answer with a value, whatever its bytes are. Struct fields may overlap, so the size in bytes does not bound it.</summary>
/// <param name="Parts">The numbers, texts and byte strings in it.</param>
/// <param name="Characters">The most characters that it has as JSON.</param>
/// <param name="Depth">How many levels of structs and lists it has.</param>
public readonly record struct ValueCost(long Parts, long Characters, int Depth)
{
    // a comma and a sign, or quotes
    private const int Around = 2;

    /// <summary>What is beyond a limit, with the limit and the value; or null.</summary>
    public string? Excess => this switch
    {
        { Depth: > NameLimits.Depth } => $"The value has {Depth} levels of structs and lists; the limit is {NameLimits.Depth}.",
        { Parts: > NameLimits.Parts } => $"The value has {Parts} numbers and texts in it; the limit is {NameLimits.Parts}.",
        { Characters: > NameLimits.Characters } => $"The value has up to {Characters} characters as JSON; the limit is {NameLimits.Characters}.",
        _ => null,
    };

    /// <summary>The cost of one part.</summary>
    public static ValueCost Of(long characters) => new(1, characters + Around, 0);

    /// <summary>The cost of two side by side.</summary>
    public static ValueCost operator +(ValueCost one, ValueCost other) =>
        new(one.Parts + other.Parts, one.Characters + other.Characters, Math.Max(one.Depth, other.Depth));

    /// <summary>As a list of this many.</summary>
    public ValueCost Times(int count) => new(Parts * count, (Characters * count) + Around, Depth + 1);

    /// <summary>As the fields of a struct.</summary>
    public ValueCost Inside() => this with { Characters = Characters + Around, Depth = Depth + 1 };

    /// <summary>As a field of this name.</summary>
    public ValueCost Named(string name) => this with { Characters = Characters + name.Length + Around + 1 };
}
