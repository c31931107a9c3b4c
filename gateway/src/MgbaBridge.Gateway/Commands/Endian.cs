namespace MgbaBridge.Gateway.Commands;

/// <summary>Which byte of a number comes first in memory.</summary>
public enum Endian
{
    Little,
    Big,
}
