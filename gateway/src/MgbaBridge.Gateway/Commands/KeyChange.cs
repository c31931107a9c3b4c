namespace MgbaBridge.Gateway.Commands;

/// <summary>What happens to a holder's levels.</summary>
public enum KeyChange
{
    /// <summary>Exactly these keys are held afterwards.</summary>
    Set,

    /// <summary>These are held as well.</summary>
    Add,

    /// <summary>These are let go.</summary>
    Clear,
}
