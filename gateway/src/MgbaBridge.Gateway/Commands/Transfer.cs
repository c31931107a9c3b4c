namespace MgbaBridge.Gateway.Commands;

/// <summary>Where small ends and large begins.</summary>
public static class Transfer
{
    /// <summary>Tails of this many bytes and more travel on the bulk lane. 16 KiB: what the script writes in one frame.</summary>
    public const int BulkFrom = 16_384;

    /// <summary>The lane for a transfer of this size.</summary>
    public static Lane LaneFor(long bytes) => bytes >= BulkFrom ? Lane.Bulk : Lane.Interactive;
}
