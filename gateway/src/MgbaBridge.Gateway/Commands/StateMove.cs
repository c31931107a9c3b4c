namespace MgbaBridge.Gateway.Commands;

/// <summary>Which way a state goes.</summary>
public enum StateMove
{
    /// <summary>From the game to where it is kept.</summary>
    Save,

    /// <summary>Back into the game.</summary>
    Load,
}
