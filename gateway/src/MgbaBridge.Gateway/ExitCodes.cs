namespace MgbaBridge.Gateway;

/// <summary>How the process ends.</summary>
internal static class ExitCodes
{
    /// <summary>As asked.</summary>
    public const int Done = 0;

    /// <summary>It could not start, for a reason that has no number of its own.</summary>
    public const int CannotStart = 1;

    /// <summary>A setting is wrong, or the settings cannot be read.</summary>
    public const int BadSettings = 2;

    /// <summary>It cannot listen: the port is in use, the address is not this machine's, or the port is for the administrator only.</summary>
    public const int CannotListen = 3;
}
