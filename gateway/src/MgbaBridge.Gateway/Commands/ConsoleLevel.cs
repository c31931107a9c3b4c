namespace MgbaBridge.Gateway.Commands;

/// <summary>How a line in mGBA's Scripting window is shown.</summary>
public enum ConsoleLevel
{
    Log,
    Warn,
    Error,
}
