namespace MgbaBridge.Gateway;

/// <summary>How the process ends.</summary>
internal static class ExitCodes
{
    public const int Done = 0;
    public const int BadSettings = 2;
    public const int PortInUse = 3;
}
