namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A file with save data, on the machine that mGBA runs on.</summary>
public sealed record SaveFileBody
{
    /// <summary>Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one. It is made if missing.</summary>
    public required string File { get; init; }

    /// <summary>Whether what the game saves is not written back to it.</summary>
    public bool Temporary { get; init; }
}
