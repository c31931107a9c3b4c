namespace MgbaBridge.Gateway.Compatibility;

/// <summary>A key by its name, numbered as the console does.</summary>
internal enum Button
{
    A,
    B,
    Select,
    Start,
    Right,
    Left,
    Up,
    Down,
    R,
    L,
}
