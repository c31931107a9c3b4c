namespace MgbaBridge.Gateway.Commands;

/// <summary>What a number in memory is.</summary>
public enum NumberType
{
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
}
