namespace MgbaBridge.Gateway.Commands;

/// <summary>How a number in memory is looked at.</summary>
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

    /// <summary>It is another than when the request arrived.</summary>
    Changed,
}
