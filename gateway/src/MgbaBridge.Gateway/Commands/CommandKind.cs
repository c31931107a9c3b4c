namespace MgbaBridge.Gateway.Commands;

/// <summary>Whether a command may run a second time.</summary>
public enum CommandKind
{
    /// <summary>Runs again without harm.</summary>
    Read,

    /// <summary>Changes something: it must run exactly once, or its caller must be told that this is not known.</summary>
    Effect,
}
