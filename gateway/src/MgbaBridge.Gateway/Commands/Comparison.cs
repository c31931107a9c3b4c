namespace MgbaBridge.Gateway.Commands;

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
    /// <summary>Whether a guard may use it.</summary>
    public static bool IsForGuards(this Comparison comparison) => comparison <= Comparison.Ge;

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
