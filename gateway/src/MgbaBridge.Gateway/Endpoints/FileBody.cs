namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A file on the machine that mGBA runs on.</summary>
public sealed record FileBody
{
    /// <summary>Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one.</summary>
    public required string File { get; init; }
}
