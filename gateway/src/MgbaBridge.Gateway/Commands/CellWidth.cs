namespace MgbaBridge.Gateway.Commands;

/// <summary>How many bits of memory one value covers.</summary>
public enum CellWidth
{
    Byte = 8,
    Half = 16,
    Word = 32,
}
