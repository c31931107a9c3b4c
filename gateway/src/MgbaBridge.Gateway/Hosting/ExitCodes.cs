namespace MgbaBridge.Gateway.Hosting;

/// <summary>The exit codes of the program (docs/command-line.md).</summary>
internal static class ExitCodes
{
    /// <summary>Success.</summary>
    public const int Done = 0;

    /// <summary>The gateway could not start, for a reason without a code of its own.</summary>
    public const int CannotStart = 1;

    /// <summary>The gateway refused the request or could not fulfill it.</summary>
    public const int Refused = 1;

    /// <summary>A setting is wrong, or the settings cannot be read.</summary>
    public const int BadSettings = 2;

    /// <summary>The command line is wrong.</summary>
    public const int WrongUsage = 2;

    /// <summary>The gateway cannot listen: the port is in use, the address does not belong to this machine, or the port requires privileges.</summary>
    public const int CannotListen = 3;

    /// <summary>No gateway is reachable at the URL.</summary>
    public const int NotReachable = 3;

    /// <summary>A file of this machine cannot be read or written.</summary>
    public const int FileError = 4;

    /// <summary>The condition of <c>wait</c> did not hold within its frames.</summary>
    public const int NotMet = 5;
}
